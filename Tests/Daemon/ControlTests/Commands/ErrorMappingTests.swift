import JSON
import Music
import PatternFormat
import Session
import Testing
import Wire

@testable import Control

struct ErrorMappingTests {
    struct Unforeseen: Error {}

    @Test(
        arguments: [
            (CommandError.noAudio("no server runs"), -32002, "no server runs"),
            (CommandError.noAudio(""), -32002, "no JACK server"),
            (
                CommandError.outOfScale(.bass, note: 1), -32602, "note: expected a note of the scale on bass, got 1"
            ),
            (
                CommandError.beyondLength(step: 20, length: 16), -32602,
                "step: expected a step below the length of 16, got 20"
            ),
            (CommandError.timelineHeld(by: "Link"), -32006, "Link holds the timeline"),
            (
                CommandError.offGrid(x: 44, y: 3), -32602,
                "x: expected a place on the grid, from 0 to below 44, got 44"
            ),
            (
                CommandError.offGrid(x: 3, y: -0.5), -32602,
                "y: expected a place on the grid, from 0 to below 24, got -0.5"
            ),
            (
                PatternError(place: "tracks.melody.notes[3].col", message: "12 is a bar separator"), -32602,
                "tracks.melody.notes[3].col: 12 is a bar separator"
            ),
            (ServiceError.notFound("groove"), -32001, "not found: groove"),
            (ServiceError.storage("no space left on device"), -32003, "no space left on device"),
            (
                ServiceError.invalid(FieldError(field: "path", expected: "a directory", got: "nothing")), -32602,
                "path: expected a directory, got nothing"
            ),
            (JSONError(offset: 3, expected: "a value"), -32700, "Parse error"),
            (WireError.methodNotFound("x"), -32601, "Method not found"),
            (Unforeseen(), -32603, "Internal error"),
        ] as [(any Error & Sendable, Int, String)])
    func `every error has its code and says what was wrong`(error: any Error & Sendable, code: Int, message: String) {
        let mapped = WireError(error)
        #expect(mapped.code.number == code)
        #expect(mapped.message == message)
    }
}
