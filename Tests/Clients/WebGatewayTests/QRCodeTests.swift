import Testing

@testable import WebGateway

struct QRCodeTests {
    private static let address = "http://192.168.100.200:8044/#0123456789abcdef0123456789abcdef"

    @Test func `an address with its token is small enough for a terminal of 24 lines`() throws {
        let lines = try #require(QRCode(Self.address)).text.split(separator: "\n")
        #expect(lines.count <= 23)
    }

    @Test func `it has the marks in three corners, and light all around`() throws {
        let code = try #require(QRCode(Self.address))
        let mark = ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"]
        for (row, column) in [(0, 0), (0, code.size - 7), (code.size - 7, 0)] {
            let found = (0..<7).map { y in String((0..<7).map { code[row + y, column + $0] ? "#" : " " }) }
            #expect(found == mark)
        }
        for place in -4..<code.size + 4 {
            for edge in [-4, -1, code.size, code.size + 3] { #expect(!code[edge, place] && !code[place, edge]) }
        }
    }

    @Test func `each line shows two rows, black on white`() throws {
        let code = try #require(QRCode(Self.address))
        let lines = code.text.split(separator: "\n").map { $0.dropFirst("\u{1b}[30;107m".count).dropLast(4) }
        let drawn = lines.enumerated().flatMap { index, line in
            [(2 * index, "█▀"), (2 * index + 1, "█▄")].map { row, dark in
                (row - 4, line.map { dark.contains($0) })
            }
        }
        for (row, modules) in drawn {
            #expect(modules == (-4..<code.size + 4).map { code[row, $0] })
        }
    }

    @Test func `text that is too long has no code`() {
        #expect(QRCode(String(repeating: "x", count: 3000)) == nil)
    }
}
