import Grid
import Music
import Testing

@Suite struct PixelFontTests {
    private static let promised = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .:-+/!?><=%#~"

    @Test func `the font has exactly the promised characters`() {
        #expect(Set(PixelFont.characters) == Set(PixelFontTests.promised))
        #expect(PixelFont.characters.count == PixelFontTests.promised.count)
        #expect(PixelFontTests.promised.allSatisfy { PixelFont.glyph(of: $0) != nil })
        #expect(PixelFont.glyph(of: "a") == nil && PixelFont.glyph(of: "é") == nil)
    }

    @Test func `no two characters look the same, and only the space is empty`() {
        let drawings = PixelFontTests.promised.map { drawing(of: String($0)) }
        #expect(Set(drawings).count == drawings.count)
        let empty = zip(PixelFontTests.promised, drawings).filter { !$1.contains("#") }.map { $0.0 }
        #expect(empty == [" "])
    }

    @Test func `glyphs match their drawing`() {
        #expect(
            drawing(of: "C#4 OK!") == """
                .##.#.#.#.#......#..#.#..#.
                #...###.#.#.....#.#.#.#..#.
                #...#.#.###.....#.#.##...#.
                #...###...#.....#.#.#.#....
                .##.#.#...#......#..#.#..#.
                """)
    }

    @Test func `eleven characters are 43 columns wide, none are 0`() {
        #expect((0...11).map { PixelFont.width(ofCharacters: $0) } == [0, 3, 7, 11, 15, 19, 23, 27, 31, 35, 39, 43])
    }

    @Test(arguments: Drum.allCases)
    func `the font can write every drum's name, and it fits`(drum: Drum) {
        #expect(drum.title.count <= 11)
        #expect(drum.title.allSatisfy { PixelFont.glyph(of: $0) != nil })
    }

    private func drawing(of text: String) -> String {
        (0..<5).map { row in
            text.map { character in
                let glyph = PixelFont.glyph(of: character)
                return String((0..<3).map { glyph?.isLit(column: $0, row: row) == true ? "#" : "." as Character })
            }.joined(separator: ".")
        }.joined(separator: "\n")
    }
}
