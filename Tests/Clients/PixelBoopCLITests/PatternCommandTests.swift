import CannedDaemon
import Foundation
import JSON
import ProgramTestSupport
import TestSupport
import Testing
import Wire

@Suite(.timeLimit(.minutes(1)))
struct PatternCommandTests {
    /// One note on the fifth step: column 8 of the grid.
    private func pattern(column: Int) -> JSONValue {
        [
            "version": 1,
            "tracks": ["melody": ["notes": [["col": .integer(column), "pitch": 69, "velocity": "accent"]]]],
        ]
    }

    private func importing(_ arguments: [String], _ input: String) async throws -> (Program.Outcome, [Request]) {
        let daemon = try await CannedDaemon.start()
        return try await daemon.serving { log in
            (try await Program.run(["import"] + arguments + ["-"], socket: daemon.path, input: input), log.all)
        }
    }

    private func firstNote(_ call: Request) throws -> JSONObject {
        guard case .byName(let parameters) = call.parameters else { return [:] }
        let tracks = parameters["pattern"]?.objectValue?["tracks"]?.objectValue
        return try #require(tracks?["melody"]?.objectValue?["notes"]?.arrayValue?.first?.objectValue)
    }

    @Test(arguments: [(8, "grid"), (4, "step")])
    func `a file is sent as the daemon reads it, whatever its columns count`(column: Int, columns: String) async throws
    {
        let (outcome, calls) = try await importing(["--columns", columns], pattern(column: column).text)
        #expect(outcome.status == 0)
        #expect(calls.map(\.method) == ["pattern.set"])
        let note = try firstNote(try #require(calls.first))
        #expect(note["col"] == 8)
        #expect(note["pitch"] == 69)
        #expect(note["velocity"] == "accent")
    }

    @Test func `an invalid pattern is refused with the position, and nothing is sent`() async throws {
        let (outcome, calls) = try await importing([], pattern(column: 12).text)
        #expect(outcome.status == 1)
        #expect(
            outcome.complaint == "pixelboop: standard input: tracks.melody.notes[0].col: 12 is a bar separator\n")
        #expect(calls.isEmpty)
    }

    @Test func `the pattern goes to standard output or into a file, as the daemon sent it`() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("a.json")
        let daemon = try await CannedDaemon.start()
        let pattern = pattern(column: 8)
        try await daemon.serving { _ in
            .success(pattern)
        } while: { _ in
            let printed = try await Program.run(["export"], socket: daemon.path)
            #expect(try JSONValue(parsing: printed.output) == pattern)
            let written = try await Program.run(["export", file], socket: daemon.path)
            #expect(written.status == 0)
            #expect(written.output.isEmpty)
            #expect(try directory.read("a.json") == Array(printed.output.utf8))
        }
    }

    @Test func `a pattern too large to be indented is exported compactly, so that it can be imported`() async throws {
        let daemon = try await CannedDaemon.start()
        // Rows that are longer than a line.
        let row = JSONValue.array(Array(repeating: 0, count: 60))
        let pattern: JSONValue = ["notes": .array(Array(repeating: row, count: 6000))]
        try await daemon.serving { _ in
            .success(pattern)
        } while: { _ in
            let outcome = try await Program.run(["export"], socket: daemon.path)
            let isCompact = outcome.output == pattern.text + "\n"
            #expect(isCompact)
        }
    }

    @Test func `a MIDI file comes through the socket and is written here`() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("a.mid")
        let daemon = try await CannedDaemon.start()
        let bytes = Data("MThd".utf8)
        let answer: JSONValue = ["data": .string(bytes.base64EncodedString()), "frames": 96_000]
        try await daemon.serving { _ in
            .success(answer)
        } while: { log in
            let outcome = try await Program.run(["export", "--midi", file, "--loops", "3"], socket: daemon.path)
            #expect(outcome.status == 0)
            #expect(try directory.read("a.mid") == Array(bytes))
            #expect(log.all.map(\.parameters) == [.byName(["loops": 3])])
        }
    }

    @Test(arguments: [
        (["a.json"], "{}\n"), (["--midi", "a.mid", "a.json"], "{}\n"), (["--midi", "-", "a.json"], "MThd"),
    ])
    func `with --json an export that prints nothing else prints an empty object`(
        arguments: [String], printed: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let files = arguments.filter { $0.hasPrefix("a.") }
        let arguments = arguments.map { files.contains($0) ? directory.file($0) : $0 }
        let daemon = try await CannedDaemon.start()
        let file: JSONValue = ["data": .string(Data("MThd".utf8).base64EncodedString()), "frames": 96_000]
        let pattern = pattern(column: 8)
        try await daemon.serving { request in
            .success(request.method == "export.midi" ? file : pattern)
        } while: { _ in
            let outcome = try await Program.run(["export", "--json"] + arguments, socket: daemon.path)
            #expect(outcome.status == 0)
            #expect(outcome.output == printed)
        }
        #expect(try directory.names == files.sorted())
    }

    @Test(arguments: [#"import /dev/stdin < "$1""#, #"import - < "$1""#, #"import <(cat "$1")"#, #"import "$1""#])
    func `a pattern is read from a file, a pipe or standard input`(command: String) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("a.json")
        try directory.write(pattern(column: 8).text, to: "a.json")
        let daemon = try await CannedDaemon.start()
        try await daemon.serving { log in
            let outcome = try await Program.run(
                URL(fileURLWithPath: "/bin/bash"), ["-c", "\"$0\" " + command, Program.url.path, file],
                environment: ["PATH": "/usr/bin:/bin", "PIXELBOOP_SOCKET": daemon.path])
            #expect(outcome.status == 0)
            #expect(log.all.map(\.method) == ["pattern.set"])
        }
    }

    @Test(arguments: [
        ["--loops", "2"], ["--loops", "2", "a.json"], ["--rate", "48000"], ["--rate", "48000", "--midi", "a.mid"],
        ["--midi", "-", "--wav", "/dev/stdout"], ["--loops", "0", "--midi", "-"], ["--loops", "1001", "--midi", "-"],
    ])
    func `options of a format that was not requested are wrong usage`(options: [String]) async throws {
        let outcome = try await Program.run(["export"] + options, socket: "/nowhere")
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.complaint.contains("--") || outcome.complaint.contains("standard output"))
    }

    @Test(arguments: [
        (["--rate=-1", "--wav", "-"], "--rate: expected 8000 to 192000"),
        (["--rate", "-1", "--wav", "-"], "--rate: expected 8000 to 192000"),
        (["--rate", "9000000000000000000", "--wav", "-"], "--rate: expected 8000 to 192000"),
        (["--loops", "501", "--scenes", "1,2", "--wav", "-"], "--scenes: expected at most 1000 loops in all"),
        (["--loops", "501", "--scenes", "1,2", "--midi", "-"], "--scenes: expected at most 1000 loops in all"),
        (["--stems", "--wav", "-"], "--stems needs a file that ends in .wav"),
        (["--stems", "--midi", "-"], "--stems is for sound files: it needs --wav"),
    ])
    func `a rate or a number of loops that cannot be rendered is wrong usage`(
        options: [String], words: String
    ) async throws {
        let outcome = try await Program.run(["export"] + options, socket: "/nowhere")
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.complaint.contains(words))
    }

    @Test(arguments: [
        ("a.txt", "expected a name that ends in .json"), ("/dev/full", "expected a name that ends in .json"),
    ])
    func `an unsuitable output file is refused`(path: String, reason: String) async throws {
        let daemon = try await CannedDaemon.start()
        let pattern = pattern(column: 8)
        try await daemon.serving { _ in
            .success(pattern)
        } while: { _ in
            let outcome = try await Program.run(["export", path], socket: daemon.path)
            #expect(outcome.status == 2)
            #expect(outcome.complaint.contains(reason))
        }
    }

    @Test(arguments: ["-", "/dev/stdout"])
    func `a pattern and a MIDI file go to standard output`(name: String) async throws {
        let daemon = try await CannedDaemon.start()
        let bytes = Data("MThd".utf8)
        let answer: JSONValue = ["data": .string(bytes.base64EncodedString()), "frames": 96_000]
        try await daemon.serving { _ in
            .success(answer)
        } while: { _ in
            let outcome = try await Program.run(["export", "--midi", name], socket: daemon.path)
            #expect(outcome.output == "MThd")
        }
        let other = try await CannedDaemon.start()
        let pattern = pattern(column: 8)
        try await other.serving { _ in
            .success(pattern)
        } while: { _ in
            let outcome = try await Program.run(["export", name], socket: other.path)
            #expect(try JSONValue(parsing: outcome.output) == pattern)
        }
    }
}
