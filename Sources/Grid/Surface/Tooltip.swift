/// A text on the grid.
public struct Tooltip: Hashable, Sendable {
    /// How long it stays on the grid.
    public static let duration = Duration.milliseconds(1200)

    /// At most 11 characters of the pixel font are shown.
    public var text: String
    /// First row of the text, 0 to 19.
    public var row: Int

    /// A text at a row.
    public init(text: String, row: Int) {
        self.text = text
        self.row = row
    }
}
