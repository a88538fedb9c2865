extension Screen {
    /// The bytes that make a terminal show this screen.
    ///
    /// - Parameters:
    ///   - previous: What the terminal shows, nil if unknown. At the same size only differences are sent.
    ///   - kind: The terminal's capabilities.
    /// - Returns: Characters and control sequences, empty if nothing differs.
    public func update(after previous: Screen?, on kind: TerminalKind) -> String {
        var writer = ScreenWriter(kind: kind)
        let base = previous?.size == size ? previous : nil
        for row in 0..<size.rows {
            for column in 0..<size.columns where base?[column, row] != self[column, row] {
                writer.write(self[column, row], column: column, row: row, width: size.columns)
            }
        }
        guard base == nil || !writer.output.isEmpty else { return "" }
        let start = base == nil ? ControlSequences.resetStyle + ControlSequences.clear : ""
        let picture = start + writer.output + ControlSequences.resetStyle
        return kind.hasModes ? ControlSequences.beginUpdate + picture + ControlSequences.endUpdate : picture
    }

    /// The screen as lines of text, for a file or for a terminal in normal mode. Each line ends in the terminal's
    /// default colours and without trailing blanks.
    public func lines(on kind: TerminalKind) -> [String] {
        (0..<size.rows).map { row in
            guard let last = (0..<size.columns).last(where: { self[$0, row] != .blank }) else { return "" }
            var writer = ScreenWriter(kind: kind)
            for column in 0...last { writer.append(self[column, row]) }
            return writer.output + (kind.depth == .monochrome ? "" : ControlSequences.resetStyle)
        }
    }
}

/// Writes characters one by one, with colours and cursor movements only if needed.
private struct ScreenWriter {
    let kind: TerminalKind
    private(set) var output = ""
    private var style: Glyph?
    private var cursor: (column: Int, row: Int)?

    init(kind: TerminalKind) {
        self.kind = kind
    }

    mutating func write(_ glyph: Glyph, column: Int, row: Int, width: Int) {
        if cursor == nil || cursor! != (column, row) {
            output += ControlSequences.moveCursor(column: column, row: row)
        }
        append(glyph)
        // After the last column terminals differ on where the cursor is.
        cursor = column + 1 < width ? (column + 1, row) : nil
    }

    mutating func append(_ glyph: Glyph) {
        let glyph = glyph.shown(on: kind)
        if style?.foreground != glyph.foreground || style?.background != glyph.background || style == nil {
            output += ControlSequences.colors(of: glyph, depth: kind.depth)
            style = glyph
        }
        output.append(glyph.character)
    }
}
