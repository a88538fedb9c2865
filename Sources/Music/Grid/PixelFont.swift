/// The font of the grid: 3 columns by 5 rows a character, one empty column between two.
public enum PixelFont {
    /// Columns of a character.
    public static let width = 3
    /// Rows of a character.
    public static let height = 5
    /// Characters that fit on the grid's 44 columns.
    public static let capacity = 11

    /// The lit cells of one character.
    public struct Glyph: Equatable, Sendable {
        /// Bit `row * 3 + column` is set where the cell is lit.
        fileprivate var bits: UInt16 = 0

        /// Whether a cell is lit; column 0 to 2 from the left, row 0 to 4 from the top.
        public func isLit(column: Int, row: Int) -> Bool {
            bits & (1 << UInt16(row * PixelFont.width + column)) != 0
        }
    }

    /// The characters in the font, in the order of the drawing below.
    public static let characters: [Character] = drawing.flatMap { $0.characters }

    /// The character's glyph, nil when the font does not have it.
    public static func glyph(of character: Character) -> Glyph? { glyphs[character] }

    /// The width of this many characters in columns.
    public static func width(ofCharacters count: Int) -> Int {
        max(0, count * (width + 1) - 1)
    }

    private static let glyphs: [Character: Glyph] = {
        var glyphs: [Character: Glyph] = [:]
        for line in drawing {
            for (index, character) in line.characters.enumerated() {
                glyphs[character] = glyph(at: index * (width + 1), of: line.rows)
            }
        }
        return glyphs
    }()

    private static func glyph(at firstColumn: Int, of rows: [[Character]]) -> Glyph {
        var glyph = Glyph()
        for row in 0..<height {
            for column in 0..<width where rows[row][firstColumn + column] == "#" {
                glyph.bits |= 1 << UInt16(row * width + column)
            }
        }
        return glyph
    }

    private struct Line {
        var characters: [Character]
        var rows: [[Character]]

        init(_ characters: String, _ rows: String) {
            self.characters = Array(characters)
            self.rows = rows.split(separator: "\n").map(Array.init)
        }
    }

    /// Letters are round where they can be and digits square, so that O and 0, S and 5, B and 8 differ.
    private static let drawing = [
        Line(
            "ABCDEFGHI",
            """
            .#. ##. .## ##. ### ### .## #.# ###
            #.# #.# #.. #.# #.. #.. #.. #.# .#.
            ### ##. #.. #.# ##. ##. #.# ### .#.
            #.# #.# #.. #.# #.. #.. #.# #.# .#.
            #.# ##. .## ##. ### #.. .## #.# ###
            """),
        Line(
            "JKLMNOPQR",
            """
            ..# #.# #.. #.# ##. .#. ##. .#. ##.
            ..# #.# #.. ### #.# #.# #.# #.# #.#
            ..# ##. #.. ### #.# #.# ##. #.# ##.
            #.# #.# #.. #.# #.# #.# #.. ### #.#
            .#. #.# ### #.# #.# .#. #.. .## #.#
            """),
        Line(
            "STUVWXYZ ",
            """
            .## ### #.# #.# #.# #.# #.# ### ...
            #.. .#. #.# #.# #.# #.# #.# ..# ...
            .#. .#. #.# #.# ### .#. .#. .#. ...
            ..# .#. #.# #.# ### #.# .#. #.. ...
            ##. .#. ### .#. #.# #.# .#. ### ...
            """),
        Line(
            "0123456789",
            """
            ### .#. ### ### #.# ### ### ### ### ###
            #.# ##. ..# ..# #.# #.. #.. ..# #.# #.#
            #.# .#. ### .## ### ### ### .#. ### ###
            #.# .#. #.. ..# ..# ..# #.# .#. #.# ..#
            ### ### ### ### ..# ### ### .#. ### ###
            """),
        Line(
            ".:-+/!?><=%#~",
            """
            ... ... ... ... ..# .#. ##. #.. ..# ... #.# #.# ...
            ... .#. ... .#. ..# .#. ..# .#. .#. ### ..# ### ##.
            ... ... ### ### .#. .#. .#. ..# #.. ... .#. #.# .##
            ... .#. ... .#. #.. ... ... .#. .#. ### #.. ### ...
            .#. ... ... ... #.. .#. .#. #.. ..# ... #.# #.# ...
            """),
    ]
}
