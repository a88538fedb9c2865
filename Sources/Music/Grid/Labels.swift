/// The labels of the step cells, a few characters each: `C#`, `BD`.
public struct Labels: Equatable, Sendable {
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
    public func changes(from base: Labels) -> [CellChange<String>] { texts.changes(from: base.texts) }

    /// Applies changes; false, and nothing changed, when a cell is outside the grid.
    @discardableResult
    public mutating func apply(_ changes: [CellChange<String>]) -> Bool { texts.apply(changes) }
}
