/// The labels of the step cells, a few characters each: `C#`, `BD`.
public struct Labels: Equatable, Sendable {
    /// A cell with a new label.
    public struct Change: Equatable, Sendable {
        /// row * 44 + column, 0 to 1055.
        public var index: Int
        /// The new text, empty for none.
        public var text: String

        /// A cell with a new label.
        public init(index: Int, text: String) {
            self.index = index
            self.text = text
        }
    }

    /// Row by row, empty where there is none.
    public private(set) var texts = Array(repeating: "", count: Frame.cellCount)

    /// No labels.
    public init() {}

    /// The text of a cell of the grid, empty for none.
    public subscript(column: Int, row: Int) -> String {
        get { texts[row * Frame.columns + column] }
        set { texts[row * Frame.columns + column] = newValue }
    }

    /// The changes that turn other labels into these.
    public func changes(from base: Labels) -> [Change] {
        texts.indices.compactMap { texts[$0] == base.texts[$0] ? nil : Change(index: $0, text: texts[$0]) }
    }

    /// Applies changes; false, without effect, when a cell is outside the grid.
    @discardableResult
    public mutating func apply(_ changes: [Change]) -> Bool {
        guard changes.allSatisfy({ texts.indices.contains($0.index) }) else { return false }
        for change in changes { texts[change.index] = change.text }
        return true
    }
}
