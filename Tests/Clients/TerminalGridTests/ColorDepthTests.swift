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
        (["TERM": "screen.xterm-256color", "COLORTERM": "truecolor"], .palette),
        (["TERM": "screen", "COLORTERM": "truecolor"], .palette),
        (["TERM": "screen.xterm-kitty"], .palette),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor", "STY": "1234.pts-0.stage"], .palette),
        (["TERM": "screen-256color", "STY": "1234.pts-0.stage", "TMUX": "/tmp/tmux-0/default,1,0"], .palette),
        (["TERM": "tmux-256color", "STY": "1234.pts-0.stage", "TMUX": "/tmp/tmux-0/default,1,0"], .trueColor),
        (["TERM": "screen", "STY": "1234.pts-0.stage", "NO_COLOR": "1"], .monochrome),
        (["TERM": "xterm-256color"], .palette),
        ([:], .palette),
        (["NO_COLOR": "1", "COLORTERM": "truecolor"], .monochrome),
        (["NO_COLOR": "", "COLORTERM": "truecolor"], .trueColor),
        (["TERM": "dumb"], .monochrome),
        (["TERM": "vt100", "COLORTERM": "truecolor"], .monochrome),
        (["TERM": "vt220"], .monochrome),
        (["TERM": "xterm-mono"], .monochrome),
        (["TERM": "linux"], .sixteen),
        (["TERM": "linux", "NO_COLOR": "1"], .monochrome),
        (["TERM": "xterm-16color", "COLORTERM": "truecolor"], .sixteen),
    ])
    func `terminals that announce 24-bit colour get it, others what their type has, and none where none is wanted`(
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

    @Test(arguments: [
        (0x000000, 0), (0x0a0a0a, 0), (0xaa0000, 1), (0xff0000, 1), (0x00ffff, 14), (0x888888, 7), (0x333333, 8),
        (0xffffff, 15), (0x45b7d1, 6), (0xffc800, 11),
    ])
    func `known colours have their place among the 16`(rgb: Int, index: Int) {
        #expect(Color(UInt32(rgb)).sixteenIndex == index)
    }
}
