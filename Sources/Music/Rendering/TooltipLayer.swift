import Grid

/// A text in the pixel font over everything else, centred.
enum TooltipLayer {
    private static let strength = Alpha.percent(85)

    static func draw(_ tooltip: Tooltip, into frame: inout Frame) {
        let characters = tooltip.text.prefix(PixelFont.capacity)
        let firstColumn = (Frame.columns - PixelFont.width(ofCharacters: characters.count)) / 2
        for (index, character) in characters.enumerated() {
            guard let glyph = PixelFont.glyph(of: character) else { continue }
            draw(glyph, column: firstColumn + index * (PixelFont.width + 1), row: tooltip.row, into: &frame)
        }
    }

    private static func draw(_ glyph: PixelFont.Glyph, column: Int, row: Int, into frame: inout Frame) {
        for y in 0..<PixelFont.height {
            for x in 0..<PixelFont.width
            where glyph.isLit(column: x, row: y) && Frame.contains(column: column + x, row: row + y) {
                frame.overlay(.white, alpha: strength, column: column + x, row: row + y)
            }
        }
    }
}
