import Grid
import TestSupport
import Testing

@testable import TerminalGrid

struct ColorDepthTests {
    @Test(arguments: [
        (["COLORTERM": "truecolor", "TERM": "xterm-256color"], ColorDepth.trueColor),
        (["COLORTERM": "24bit"], .trueColor),
        (["TERM": "xterm-direct"], .trueColor),
        (["TERM": "xterm-kitty"], .trueColor),
        (["TERM": "screen-256color", "TMUX": "/tmp/tmux-0/default,1,0"], .trueColor),
        (["TERM": "xterm-256color"], .palette),
        ([:], .palette),
        (["NO_COLOR": "1", "COLORTERM": "truecolor"], .monochrome),
        (["NO_COLOR": "", "COLORTERM": "truecolor"], .trueColor),
        (["TERM": "dumb"], .monochrome),
    ])
    func `terminals that announce 24-bit colour get it, others the palette of 256, and none where none is wanted`(
        environment: [String: String], expected: ColorDepth
    ) {
        #expect(ColorDepth(environment: environment) == expected)
    }

    @Test(arguments: [
        (0x000000, 16), (0xffffff, 231), (0xff0000, 196), (0x0a0a0a, 232), (0x111111, 233), (0x1a1a1a, 234),
        (0x888888, 102), (0x8787af, 103),
    ])
    func `known colours have their place in the palette`(rgb: Int, index: Int) {
        #expect(Color(UInt32(rgb)).paletteIndex == index)
    }

    @Test func `no palette colour is nearer than the one chosen`() {
        var random = SeededGenerator(seed: 7)
        let levels = [0, 95, 135, 175, 215, 255]
        var cube: [(Int, Int, Int)] = []
        for red in levels {
            for green in levels {
                for blue in levels { cube.append((red, green, blue)) }
            }
        }
        let greys = (0..<24).map { 8 + 10 * $0 }.map { ($0, $0, $0) }
        let palette = cube + greys
        for _ in 0..<2000 {
            let color = Color(UInt32.random(in: 0...0xffffff, using: &random))
            func distance(_ index: Int) -> Int {
                let (red, green, blue) = palette[index]
                return [Int(color.red) - red, Int(color.green) - green, Int(color.blue) - blue].reduce(0) {
                    $0 + $1 * $1
                }
            }
            let best = palette.indices.map(distance).min()
            #expect(distance(color.paletteIndex - 16) == best, "\(color)")
        }
    }
}
