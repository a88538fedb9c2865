import DaemonTestSupport
import Foundation
import Glibc
import Instrument
import JSON
import PixelBoopClient
import ProgramTestSupport
import TestNeeds
import TestSupport
import Testing

/// The examples in docs/protocol.md do what the page says.
@Suite(.timeLimit(.minutes(2))) struct ProtocolPageTests {
    private let page: DocumentationPage

    init() throws { page = try DocumentationPage("docs/protocol.md") }

    private func shell(_ command: String, _ stage: Stage) async throws -> Program.Outcome {
        let environment = ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": stage.daemon.runtimeDirectory]
        return try await Program.run(
            URL(filePath: "/bin/bash"), ["-c", "set -o pipefail; " + command], environment: environment)
    }

    @Test func `the daemon answers the transcript as printed`() async throws {
        let lines = try page.example(below: "By hand").filter { $0.hasPrefix("> ") || $0.hasPrefix("< ") }
        #expect(lines.count > 15)
        try await Stage.with { stage in
            _ = try await stage.connect()
            let client = try RawClient(path: stage.daemon.socketPath)
            var lines = lines[...]
            while let first = lines.first {
                let isSent = first.hasPrefix(">")
                let block = lines.prefix { $0.hasPrefix(">") == isSent }.map { String($0.dropFirst(2)) }
                lines = lines.dropFirst(block.count)
                if isSent {
                    for line in block { try client.send(line) }
                } else {
                    try await check(block, saidTo: client)
                }
            }
        }
    }

    /// Consecutive notifications may come in any order: a state patch waits until the previous one is a frame's time
    /// ago.
    private func check(_ printed: [String], saidTo client: RawClient) async throws {
        var said: [String] = []
        for _ in printed { said.append(try #require(await client.line())) }
        for text in printed {
            let pattern = try Self.pattern(of: text)
            #expect(said.contains { $0.wholeMatch(of: pattern) != nil }, "\(text) is not among \(said)")
        }
    }

    /// The printed text, except for omissions, for times, which differ on every run, and for the program's version.
    private static func pattern(of text: String) throws -> Regex<AnyRegexOutput> {
        let pattern = NSRegularExpression.escapedPattern(for: text)
            .replacing(" \\.\\.\\.", with: ".*")
            .replacing(try Regex(#""version":"[^"]*""#), with: #""version":"[^"]*""#)
            .replacing(try Regex(#""(frame|usecs)":[0-9]+"#)) { "\"\($0[1].substring!)\":[0-9]+" }
        return try Regex(pattern)
    }

    @Test func `the Python client runs as printed`() async throws {
        let script = try page.code(in: "python")
        try await Stage.with { stage in
            let file = stage.daemon.directory.appending(path: "client.py")
            try Data(script.utf8).write(to: file)
            let outcome = try await shell("python3 \(file.path)", stage)
            #expect(outcome.complaint == "")
            let lines = outcome.output.split(separator: "\n")
            try #require(lines.count == 3)
            #expect(lines[0].contains("'server': 'pixelboopd'"))
            // G, as the tap writes it.
            #expect(lines[1].hasSuffix("cell (6, 4) is #00ffaa"))
            #expect(lines[2] == "{'undo': 1, 'redo': 0}")
            // On a grid with notes on it, too.
            let again = try await shell("python3 \(file.path)", stage)
            #expect(again.output.contains("cell (6, 4) is #00ffaa"))
        }
    }

    @Test func `the Python listener passes the sound to a player until that ends`() async throws {
        let script = try page.example(below: "Listening").drop { !$0.hasPrefix("import") }.joined(separator: "\n")
        try await Stage.with { stage in
            let client = try await stage.connect()
            for step in stride(from: 0, to: 32, by: 4) {
                try await client.setNote(.chords, step: step, note: 0, .normal)
            }
            try await client.play()
            let place = stage.daemon.directory
            try Data(script.utf8).write(to: place.appending(path: "listen.py"))
            // The test's own player, which ends after a second.
            let player = "#!/bin/sh\necho \"$@\" >\(place.path)/arguments\nexec head -c 192000 >\(place.path)/played\n"
            try Data(player.utf8).write(to: place.appending(path: "aplay"))
            chmod(place.appending(path: "aplay").path, 0o755)
            let outcome = try await Program.run(
                URL(filePath: "/usr/bin/python3"), [place.appending(path: "listen.py").path],
                environment: ["PATH": "\(place.path):/usr/bin:/bin", "PIXELBOOP_SOCKET": stage.daemon.socketPath])
            #expect(outcome.complaint.contains("BrokenPipeError"))
            let arguments = try String(contentsOf: place.appending(path: "arguments"), encoding: .utf8)
            #expect(arguments == "-q -f S16_LE -c 2 -r 48000\n")
            let played = try Data(contentsOf: place.appending(path: "played"))
            #expect(played.count == 192_000)
            #expect(played.contains { $0 != 0 })
        }
    }

    @Test func `the Swift client runs as printed`() async throws {
        let file = RepositoryFile("Tests/Daemon/EndToEndTests/Support/ClientExample.swift")
        #expect(try Array(page.code(in: "swift").utf8) == file.content)
        try await Stage.with { stage in
            _ = try await stage.connect()
            #expect(try await playFiveNotes(at: stage.daemon.socketPath) == [0, 1, 2, 3, 4])
        }
    }

    @Test func `the pattern in the description of the files can be imported`() async throws {
        let example = try JSONValue(parsing: DocumentationPage("docs/patterns.md").code(in: "json").utf8)
        try await Stage.with { stage in
            let client = try await stage.connect()
            _ = try await client.call("pattern.set", ["pattern": example])
            #expect(try await client.patternJSON() == example)
        }
    }

    @Test(.needs(.installed("bin/socat", "bin/jq")))
    func `the shell commands run as printed`() async throws {
        let commands = try page.example(below: "In one line of shell").joined(separator: "\n")
            .replacing("\\\n", with: "").split(separator: "\n").map(String.init)
        try #require(commands.count == 2)
        try await Stage.with { stage in
            let client = try await stage.connect()
            try await client.setTempo(127.5)
            #expect(try await shell(commands[0], stage).status == 0)
            try await client.waitForState { $0.transport.state == .playing }
            #expect(try await shell(commands[1], stage).output == "127.5\n")
        }
    }
}
