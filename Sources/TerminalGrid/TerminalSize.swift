/// How many characters a terminal shows.
public struct TerminalSize: Equatable, Sendable {
    /// Characters in a line, at least 1.
    public let columns: Int
    /// Lines, at least 1.
    public let rows: Int

    /// A size; numbers below 1 count as 1.
    public init(columns: Int, rows: Int) {
        self.columns = max(columns, 1)
        self.rows = max(rows, 1)
    }

    /// The part of it that is drawn on, which is limited because a terminal may report any size.
    public var drawn: TerminalSize { TerminalSize(columns: min(columns, 1000), rows: min(rows, 500)) }
}
