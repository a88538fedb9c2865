import Grid
import PixelBoopClient
import TerminalGrid
import TestSupport
import Testing

@testable import pixelboop

struct CursorTests {
    /// The touches of keys while the cursor is shown: `<` `>` `^` `v` are arrows, `E` Enter, `T` and `S` Tab
    /// without and with Shift, `B` and `F` Home and End. `X` cancels, as Escape does.
    private func touches(_ keys: String, from cursor: inout Cursor) -> [String] {
        keys.flatMap { key in
            let terminalKey: TerminalKey =
                switch key {
                case "<": .left
                case ">": .right
                case "^": .up
                case "v": .down
                case "E": .enter
                case "T": .tab
                case "S": .backTab
                case "B": .home
                case "F": .end
                default: .character(key)
                }
            let touches = key == "X" ? cursor.cancel() : cursor.react(to: terminalKey) ?? []
            return touches.map { "\($0.phase.rawValue) \(Int($0.x)) \(Int($0.y))" }
        }
    }

    @Test(arguments: [
        ("E", ["down 4 7", "up 4 7"]),
        (">vE", ["down 5 8", "up 5 8"]),
        ("EE", ["down 4 7", "up 4 7", "down 4 7", "up 4 7"]),
        ("hE", ["down 4 7", "up 4 7"]),
        ("hh", ["down 4 7", "up 4 7"]),
        ("h>>E", ["down 4 7", "move 5 7", "move 6 7", "up 6 7"]),
        ("h>X", ["down 4 7", "move 5 7", "cancel 5 7"]),
        ("d", []),
        ("d>>E", ["down 4 7", "move 5 7", "move 6 7", "up 6 7"]),
        ("d>dE", ["down 4 7", "move 5 7", "up 5 7", "down 5 7", "up 5 7"]),
        ("dE", ["down 4 7", "up 4 7"]),
        ("dXE", ["down 4 7", "up 4 7"]),
        ("d>X", ["down 4 7", "move 5 7", "cancel 5 7"]),
        ("dhE", ["down 4 7", "up 4 7"]),
        ("<<<<<<E", ["down 0 7", "up 0 7"]),
        ("d<<<<<<E", ["down 4 7", "move 3 7", "move 2 7", "move 1 7", "move 0 7", "up 0 7"]),
        ("TE", ["down 4 8", "up 4 8"]), ("SE", ["down 4 0", "up 4 0"]), ("SSE", ["down 4 22", "up 4 22"]),
        ("FE", ["down 38 7", "up 38 7"]), ("FBE", ["down 4 7", "up 4 7"]),
        ("dF", ["down 4 7", "move 38 7"]),
        ("X", []), ("x q", []),
    ])
    func `keys tap, hold and drag`(keys: String, expected: [String]) {
        var cursor = Cursor()
        #expect(cursor.react(to: .enter) == [])
        #expect(touches(keys, from: &cursor) == expected)
    }

    @Test func `the first key only shows the cursor, after the mouse too`() {
        var cursor = Cursor()
        #expect(touches("E", from: &cursor) == [] && cursor.isShown)
        cursor.hide(atColumn: 40, row: 22)
        #expect(!cursor.isShown)
        #expect(touches("^E", from: &cursor) == ["down 40 22", "up 40 22"])
        #expect(touches("h", from: &cursor) == ["down 40 22"])
        cursor.hide(atColumn: 1, row: 1)
        #expect(touches("E", from: &cursor) == ["up 40 22"])
        cursor.hide(atColumn: 44, row: -1)
        #expect(cursor.isShown)
    }

    @Test func `the cursor does not use other keys`() {
        var cursor = Cursor()
        for key: TerminalKey in [.escape, .character(" "), .delete, .control("z"), .backspace] {
            #expect(cursor.react(to: key) == nil)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `whatever keys are pressed, a finger goes down on the grid once, moves, and comes up once`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cursor = Cursor()
        var isDown = false
        for _ in 0..<3000 {
            let key = "<>^vEXTSBFhdHD x".randomElement(using: &random)!
            for touch in touches(String(key), from: &cursor) {
                let words = touch.split(separator: " ")
                #expect(Frame.contains(column: Int(words[1])!, row: Int(words[2])!))
                #expect((words[0] == "down") != isDown, "\(touch) after \(key)")
                isDown = words[0] == "down" || words[0] == "move"
            }
            #expect(isDown == (cursor.finger == .down))
        }
        #expect(cursor.cancel().count == (isDown ? 1 : 0))
        #expect(cursor.cancel().isEmpty)
    }
}
