import Glibc

/// A terminal's size in characters.
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

    /// The size of a terminal; nil if the descriptor is not a terminal, or the terminal does not know its size.
    public init?(of descriptor: Int32) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        self.init(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// The part that is drawn, which is limited because a terminal may report any size.
    public var drawn: TerminalSize { TerminalSize(columns: min(columns, 1000), rows: min(rows, 500)) }
}
