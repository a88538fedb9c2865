/// A cell that shows something else than before: in pictures a colour, `0xRRGGBB`; in labels a text, empty for none.
public struct CellChange<Value: Equatable & Sendable>: Equatable, Sendable {
    /// row * 44 + column, 0 to 1055.
    public var index: Int
    /// What it shows now.
    public var value: Value

    public init(index: Int, value: Value) {
        self.index = index
        self.value = value
    }
}

extension Array where Element: Equatable & Sendable {
    /// The changes that turn other cells into these, in ascending order of their index.
    func changes(from base: [Element]) -> [CellChange<Element>] {
        indices.compactMap { self[$0] == base[$0] ? nil : CellChange(index: $0, value: self[$0]) }
    }

    /// Applies changes; false, and nothing changed, when there is no such cell.
    mutating func apply(_ changes: [CellChange<Element>], as value: (Element) -> Element = { $0 }) -> Bool {
        guard changes.allSatisfy({ indices.contains($0.index) }) else { return false }
        for change in changes { self[change.index] = value(change.value) }
        return true
    }
}
