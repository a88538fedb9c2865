import Grid

/// Draws frames as text and reads them back: one character a cell.
public struct Legend: Sendable {
    private let colors: [Character: Color]
    private let characters: [Color: Character]

    /// A legend from each character to the colour `0xRRGGBB` that it stands for; all colours differ.
    public init(_ colors: [Character: UInt32]) {
        self.colors = colors.mapValues { Color($0) }
        characters = Dictionary(uniqueKeysWithValues: colors.map { (Color($1), $0) })
    }

    /// A part of a frame as lines of text, `?` for colours that the legend does not have.
    public func text(of frame: Frame, columns: ClosedRange<Int> = 0...43, rows: ClosedRange<Int> = 0...23) -> String {
        rows.map { row in
            String(columns.map { characters[frame[$0, row]] ?? "?" })
        }.joined(separator: "\n")
    }

    /// The frame that a drawing shows, its first line being row 0; nil when a character is not in the legend or lies
    /// outside the grid. Cells that are not drawn are background.
    public func frame(drawnAs text: String) -> Frame? {
        var frame = Frame()
        for (row, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for (column, character) in line.enumerated() {
                guard Frame.contains(column: column, row: row), let color = colors[character] else { return nil }
                frame[column, row] = color
            }
        }
        return frame
    }
}
