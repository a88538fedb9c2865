/// The cells in which a frame differs from an earlier one.
public struct FrameDiff: Equatable, Sendable {
    /// One changed cell.
    public struct Change: Equatable, Sendable {
        /// row * 44 + column, 0 to 1055.
        public var index: Int
        /// The new colour as `0xRRGGBB`.
        public var rgb: UInt32

        /// A changed cell.
        public init(index: Int, rgb: UInt32) {
            self.index = index
            self.rgb = rgb
        }
    }

    /// The changed cells, in ascending order of their index.
    public var changes: [Change]

    /// A diff of the given changes.
    public init(changes: [Change]) {
        self.changes = changes
    }

    /// What turns one frame into another.
    public init(from base: Frame, to frame: Frame) {
        changes = []
        for index in 0..<Frame.cellCount where base.cells[index] != frame.cells[index] {
            changes.append(Change(index: index, rgb: frame.cells[index]))
        }
    }

    /// Whether the frames are the same.
    public var isEmpty: Bool { changes.isEmpty }
}

extension Frame {
    /// Applies a diff against this frame; false, and nothing changed, when a cell is outside the grid.
    @discardableResult
    public mutating func apply(_ diff: FrameDiff) -> Bool {
        guard diff.changes.allSatisfy({ (0..<Frame.cellCount).contains($0.index) }) else { return false }
        for change in diff.changes {
            self[change.index % Frame.columns, change.index / Frame.columns] = Color(change.rgb)
        }
        return true
    }
}
