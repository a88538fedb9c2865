import CannedDaemon
import Foundation
import Grid
import Instrument
import JSON
import Music
import ProgramTestSupport
import Testing
import Wire

/// Text from others cannot control the user's terminal, and errors of the output are reported.
@Suite(.timeLimit(.minutes(1)))
struct TerminalSafetyTests {
    /// An escape sequence in C0 and in C1 characters, a delete, and a change of the writing direction.
    private static let hostile = "a\u{1b}[31mb\u{9b}2Jc\u{7f}d\u{202e}e\tf"

    @Test func `names from others cannot control the terminal`() async throws {
        var state = InstrumentState()
        state.patternName = Self.hostile
        let outcome = try await run(["status"], answering: .success(.object(state.json)))
        #expect(outcome.output.contains("pattern  a\u{fffd}[31mb\u{fffd}2Jc\u{fffd}d\u{fffd}e\tf\n"))
    }

    @Test func `nor can the daemon's refusals`() async throws {
        let outcome = try await run(["load", "x"], answering: .failure(WireError(.storage, Self.hostile)))
        #expect(outcome.complaint == "pixelboop: a\u{fffd}[31mb\u{fffd}2Jc\u{fffd}d\u{fffd}e\tf\n")
    }

    @Test func `in JSON they are escaped, and the value is the same`() async throws {
        var state = InstrumentState()
        state.patternName = Self.hostile
        let outcome = try await run(["status", "--json"], answering: .success(.object(state.json)))
        #expect(!outcome.output.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        #expect(!outcome.output.contains("\u{202e}"))
        #expect(try JSONValue(parsing: outcome.output) == .object(state.json))
    }

    @Test func `in a file the grid is drawn with characters alone, whatever colours there are`() async throws {
        var frame = Frame()
        frame[0, 0] = Color(0xffffff)
        frame[1, 0] = Color(0x808080)
        let answer = JSONValue.object(KeyFrame(sequence: 1, frame: frame).json)
        let outcome = try await run(["show"], answering: .success(answer), variables: ["COLORTERM": "truecolor"])
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 25)
        #expect(lines[0].hasPrefix("@@++  "))
        #expect(!outcome.output.contains("\u{1b}"))
    }

    @Test func `help that cannot be printed is an error`() async throws {
        let outcome = try await Program.run(
            URL(filePath: "/bin/sh"), ["-c", "exec \"$0\" --help >/dev/full", Program.url.path], environment: [:])
        #expect(outcome.status == 2)
        #expect(outcome.complaint == "pixelboop: cannot write the output: No space left on device\n")
    }

    @Test func `a full output is distinguished from a refusal`() async throws {
        let daemon = try await CannedDaemon.start()
        let answer = JSONValue.object(TransportStatus(state: .playing, step: 0).json)
        try await daemon.serving { _ in
            .success(answer)
        } while: { _ in
            let outcome = try await Program.run(
                URL(filePath: "/bin/sh"), ["-c", "exec \"$0\" play >/dev/full", Program.url.path],
                environment: ["PIXELBOOP_SOCKET": daemon.path])
            #expect(outcome.status == 2)
            #expect(outcome.complaint == "pixelboop: cannot write the output: No space left on device\n")
        }
    }

    @Test(arguments: [["--socket", "PATH", "play"], ["--socket=PATH", "play"], ["play", "--socket", "PATH"]])
    func `the socket is named before the command or behind it`(arguments: [String]) async throws {
        let daemon = try await CannedDaemon.start()
        let answer = JSONValue.object(TransportStatus(state: .playing, step: 0).json)
        try await daemon.serving { _ in
            .success(answer)
        } while: { _ in
            let arguments = arguments.map { $0.replacing("PATH", with: daemon.path) }
            let outcome = try await Program.run(arguments, socket: "/nowhere")
            #expect(outcome.output == "playing, step 0\n")
        }
    }

    @Test func `a negative number is checked by the daemon, which knows the range`() async throws {
        let outcome = try await run(
            ["tempo", "-5"], answering: .failure(WireError(.invalidParams, "bpm: expected more, got -5")))
        #expect(outcome.complaint == "pixelboop: bpm: expected more, got -5\n")
    }

    private func run(
        _ arguments: [String], answering answer: Result<JSONValue, WireError>, variables: [String: String] = [:]
    ) async throws -> Program.Outcome {
        let daemon = try await CannedDaemon.start()
        return try await daemon.serving { _ in
            answer
        } while: { _ in
            try await Program.run(
                Program.url, arguments, environment: ["PIXELBOOP_SOCKET": daemon.path].merging(variables) { $1 })
        }
    }
}
