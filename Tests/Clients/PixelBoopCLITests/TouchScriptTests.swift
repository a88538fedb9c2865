import ArgumentParser
import PixelBoopClient
import Testing

@testable import pixelboop

/// Touches on the command line.
struct TouchScriptTests {
    private static let scripts: [(String, [TouchScript.Act])] = [
        ("tap 4 5", [.touch(.down, x: 4.5, y: 5.5), .touch(.up, x: 4.5, y: 5.5)]),
        (
            "down 4 5 move 8.25 5.75 up",
            [.touch(.down, x: 4.5, y: 5.5), .touch(.move, x: 8.25, y: 5.75), .touch(.up, x: 8.25, y: 5.75)]
        ),
        (
            "down 0 0 wait 500 up 1 0",
            [.touch(.down, x: 0.5, y: 0.5), .wait(.milliseconds(500)), .touch(.up, x: 1.5, y: 0.5)]
        ),
        ("down 43 23 cancel", [.touch(.down, x: 43.5, y: 23.5), .touch(.cancel, x: 43.5, y: 23.5)]),
    ]

    @Test(arguments: scripts)
    func `words become touches`(words: String, acts: [TouchScript.Act]) throws {
        #expect(try TouchScript(words: words.split(separator: " ").map(String.init)).acts == acts)
    }

    @Test(arguments: [
        ("", "expected what the finger does, as in `tap 4 5`"), ("tap", "tap: expected a column and a row"),
        ("tap 4", "4: expected a row after the column"),
        ("poke 4 5", "'poke': expected down, move, up, cancel, tap or wait"),
        ("up", "up: expected a column and a row"), ("down 4 5 wait", "wait: expected milliseconds, 0 to 60000"),
        ("down nan 5", "down: expected a column and a row"),
    ])
    func `an invalid script is explained`(words: String, message: String) {
        let error = #expect(throws: ValidationError.self) {
            try TouchScript(words: words.split(separator: " ").map(String.init))
        }
        #expect(error?.message == message)
    }
}
