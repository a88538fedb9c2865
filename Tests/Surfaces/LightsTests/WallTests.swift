import Grid
import TestSupport
import Testing

@testable import Lights

struct WallTests {
    /// A frame in which each cell has its own colour.
    private var frame: Frame {
        var frame = Frame()
        for row in 0..<Frame.rows {
            for column in 0..<Frame.columns {
                frame[column, row] = Color(red: UInt8(column), green: UInt8(row), blue: 255)
            }
        }
        return frame
    }

    /// A wall that shows colours as they are.
    private func wall(_ crop: [String], _ change: (inout Wall) -> Void = { _ in }) throws -> Wall {
        var wall = Wall()
        wall.gamma = 1
        wall.crop = try #require(CellArea(crop))
        change(&wall)
        return wall
    }

    /// Columns and rows of the cells that the lights show, in the order of the wires.
    private func cells(_ wall: Wall) -> [[UInt8]] {
        let channels = wall.channels(of: wall.picture(of: frame))
        return stride(from: 0, to: channels.count, by: 3).map { [channels[$0], channels[$0 + 1]] }
    }

    @Test func `a wall shows the whole grid row by row by default`() {
        var wall = Wall()
        wall.gamma = 1
        let all = cells(wall)
        #expect(wall.count == 1056)
        #expect(all.count == 1056)
        let expected: [[UInt8]] = (0..<1056).map { index in [UInt8(index % 44), UInt8(index / 44)] }
        #expect(all == expected)
    }

    private static let ways: [(WallOrigin, LightLayout, Rotation, String)] = [
        (.topLeft, .rows, .none, "abc def"), (.topRight, .rows, .none, "cba fed"),
        (.bottomLeft, .rows, .none, "def abc"), (.bottomRight, .rows, .none, "fed cba"),
        (.topLeft, .serpentine, .none, "abc fed"), (.topRight, .serpentine, .none, "cba def"),
        (.bottomLeft, .serpentine, .none, "def cba"), (.bottomRight, .serpentine, .none, "fed abc"),
        (.topLeft, .rows, .quarter, "da eb fc"), (.topLeft, .rows, .half, "fed cba"),
        (.topLeft, .rows, .threeQuarters, "cf be ad"), (.topLeft, .serpentine, .quarter, "da be fc"),
        (.bottomRight, .serpentine, .threeQuarters, "da be fc"),
    ]

    @Test(arguments: ways) func `lights can be wired every way round`(
        origin: WallOrigin, layout: LightLayout, rotation: Rotation, order: String
    ) throws {
        // The cells are  a b c
        //                d e f
        let wall = try wall(["5", "7", "3", "2"]) { ($0.origin, $0.layout, $0.rotation) = (origin, layout, rotation) }
        let expected = order.filter { $0 != " " }.map { letter -> [UInt8] in
            let index: UInt8 = (letter.asciiValue ?? 0) - UInt8(ascii: "a")
            return [5 + index % 3, 7 + index / 3]
        }
        #expect(cells(wall) == expected)
    }

    @Test func `fewer lights than cells show the mean of what they cover`() throws {
        let wall = try wall(["10", "4", "4", "2"]) { $0.scale = LightSize("2x1") }
        // 10 and 11, then 12 and 13; rows 4 and 5: halves are rounded up.
        #expect(cells(wall) == [[11, 5], [13, 5]])
    }

    @Test func `more lights than cells show each cell several times`() throws {
        let wall = try wall(["10", "4", "2", "1"]) { $0.scale = LightSize("4x2") }
        #expect(cells(wall) == [[10, 4], [10, 4], [11, 4], [11, 4], [10, 4], [10, 4], [11, 4], [11, 4]])
    }

    @Test func `lights that cover parts of cells show a weighted mean`() throws {
        let wall = try wall(["0", "0", "3", "1"]) { $0.scale = LightSize("2x1") }
        // Cells 0 and half of 1; half of 1 and 2: (0 * 1 + 1 * 0.5) / 1.5, (1 * 0.5 + 2 * 1) / 1.5.
        #expect(cells(wall) == [[0, 0], [2, 0]])
    }

    @Test(arguments: ["44x24", "22x12", "1x1", "7x5", "256x256", "45x25", "3x24"])
    func `one colour stays that colour at any size`(size: String) throws {
        let color = Color(red: 7, green: 130, blue: 255)
        var wall = Wall()
        (wall.scale, wall.gamma) = (LightSize(size), 1)
        #expect(wall.picture(of: Frame(filledWith: color)).colors.allSatisfy { $0 == color })
    }

    @Test func `gamma makes the grid's background black and leaves full light full`() {
        let wall = Wall()
        func shown(_ color: Color) -> Color { wall.picture(of: Frame(filledWith: color)).colors[0] }
        #expect(shown(.background) == Color(0))
        #expect(shown(.white) == .white)
        // 255 * (128 / 255) ^ 2.2 = 55.98
        #expect(shown(Color(0x808080)) == Color(0x383838))
    }

    @Test func `light is added up, not colours: a white cell of four gives a quarter of the light`() throws {
        var wall = Wall()
        (wall.crop, wall.scale) = (try #require(CellArea(["0", "0", "2", "2"])), LightSize("1x1"))
        var frame = Frame(filledWith: Color(0))
        frame[1, 1] = .white
        #expect(wall.picture(of: frame).colors == [Color(0x404040)])
    }

    @Test(arguments: [(0.0, UInt8(0)), (0.25, 64), (1, 255)])
    func `brightness scales the light`(brightness: Double, full: UInt8) {
        var wall = Wall()
        wall.brightness = brightness
        #expect(wall.picture(of: Frame(filledWith: .white)).colors[0].red == full)
    }

    @Test(arguments: [
        "", "0,0,0,1", "0,0,45,24", "44,0,1,1", "1,1,44,24", "0,24,1,1", "-1,0,4,4", "1,2,3", "1,2,3,4,5", "a,0,1,1",
        "9223372036854775807,0,1,1", "0,0,9223372036854775807,1",
    ])
    func `an area beyond the grid is refused`(text: String) {
        #expect(CellArea(text.split(separator: ",").map(String.init)) == nil)
    }

    @Test(arguments: ["", "x", "22", "22x", "0x1", "1x257", "22x12x1", "-1x3", "22X12"])
    func `invalid sizes are refused`(text: String) { #expect(LightSize(text) == nil) }
}
