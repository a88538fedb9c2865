extension Screen {
    /// What a terminal must be sent so that it shows this screen.
    ///
    /// - Parameters:
    ///   - previous: What the terminal shows, nil when that is unknown. Of the same size, only what differs is sent.
    ///   - depth: The colours that the terminal knows.
    /// - Returns: Characters and control sequences, empty when nothing differs.
    public func update(after previous: Screen?, depth: ColorDepth) -> String {
        var writer = ScreenWriter(depth: depth)
        let base = previous?.size == size ? previous : nil
        for row in 0..<size.rows {
            for column in 0..<size.columns where base?[column, row] != self[column, row] {
                writer.write(self[column, row], column: column, row: row, width: size.columns)
            }
        }
        guard base == nil || !writer.output.isEmpty else { return "" }
        return ControlSequences.beginUpdate + (base == nil ? ControlSequences.resetStyle + ControlSequences.clear : "")
            + writer.output + ControlSequences.resetStyle + ControlSequences.endUpdate
    }

    /// The screen as lines of text, for a terminal that is not taken over or for a file; each ends in the terminal's own
    /// colours, without blanks behind its last character.
    public func lines(depth: ColorDepth) -> [String] {
        (0..<size.rows).map { row in
            guard let last = (0..<size.columns).last(where: { self[$0, row] != .blank }) else { return "" }
            var writer = ScreenWriter(depth: depth)
            for column in 0...last { writer.append(self[column, row]) }
            return writer.output + (depth == .monochrome ? "" : ControlSequences.resetStyle)
        }
    }
}

/// Writes characters one by one, and colours and cursor movements only where the terminal needs them.
private struct ScreenWriter {
    let depth: ColorDepth
    private(set) var output = ""
    private var style: Glyph?
    private var cursor: (column: Int, row: Int)?

    init(depth: ColorDepth) {
        self.depth = depth
    }

    mutating func write(_ glyph: Glyph, column: Int, row: Int, width: Int) {
        if cursor == nil || cursor! != (column, row) {
            output += ControlSequences.moveCursor(column: column, row: row)
        }
        append(glyph)
        // Behind the last column terminals differ in where the cursor is.
        cursor = column + 1 < width ? (column + 1, row) : nil
    }

    mutating func append(_ glyph: Glyph) {
        if style?.foreground != glyph.foreground || style?.background != glyph.background || style == nil {
            output += ControlSequences.colors(of: glyph, depth: depth)
            style = glyph
        }
        output.append(depth == .monochrome ? glyph.shade : glyph.character)
    }
}
