import DaemonTestSupport
import Foundation
import Glibc
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import ProgramTestSupport
import TestNeeds
import TestSupport
import Testing

/// `scripts/run`, which everyone starts with: where it plays, and what is left afterwards.
@Suite(.timeLimit(.minutes(1))) struct RunTests {
    /// A user with a home of their own, in which nothing is installed, and a name for a JACK server that nobody else uses.
    private final class User {
        let home: TemporaryDirectory
        private let server: JackServer

        init() throws {
            home = try TemporaryDirectory()
            server = try JackServer()
            try FileManager.default.createDirectory(atPath: home.file("run"), withIntermediateDirectories: true)
        }

        var socket: String { home.file("run") + "/pixelboop/control.sock" }

        /// All files below the home.
        var files: Set<String> {
            Set(FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? [])
        }

        var environment: [String: String] {
            [
                "HOME": home.path, "XDG_RUNTIME_DIR": home.file("run"), "TMPDIR": NSTemporaryDirectory(),
                "JACK_DEFAULT_SERVER": server.name, "TERM": "xterm", "COLORTERM": "truecolor",
            ]
        }

        /// The script in a terminal: its keys, and what it shows.
        func open(_ arguments: String = "", _ variables: [String: String] = [:]) throws -> ShellSession {
            let shell = try ShellSession(socket: "", variables: environment.merging(variables) { $1 })
            shell.terminal.type("\(RunTests.script) \(arguments); echo ended with $?\n")
            return shell
        }

        /// Continues to the instrument.
        func play(in shell: ShellSession) async throws -> PixelBoopClient {
            try await shell.terminal.wait(until: "that it is ready") { $0.shows("Press Enter") }
            shell.terminal.type("\n")
            try await shell.terminal.wait(until: "the instrument") { $0.shows("BPM") && $0.frame != nil }
            return try await PixelBoopClient.connect(to: socket)
        }

        func quit(_ shell: ShellSession, status: Int32 = 0) async throws {
            shell.terminal.type("q")
            try await shell.terminal.wait(until: "the shell") { $0.shows("ended with \(status)") }
        }
    }

    private static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL.path
    private static let script = "\(top)/scripts/run --programs \(Program.folder.path)"

    @Test func `without a terminal it plays the demo in a session that leaves nothing behind`() async throws {
        let user = try User()
        let before = user.files
        let outcome = try await Program.run(
            URL(filePath: "/bin/bash"), ["-c", Self.script],
            environment: user.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 })
        #expect(outcome.status == 0, "\(outcome.complaint)")
        #expect(outcome.output.contains("thrown away") && outcome.output.contains("loading config/demo.json"))
        #expect(user.files == before)
    }

    @Test func `the last session is there again, and neither demo nor pattern replaces it unasked`() async throws {
        let user = try User()
        var shell = try user.open()
        var client = try await user.play(in: shell)
        #expect(try await client.state().state.transport.state == .playing)
        let demo = try await client.pattern()
        #expect(!demo.cells.isEmpty)
        try await client.newPattern()
        try await client.setNote(.bass, step: 0, note: 7, .accent)
        try await client.save("mine")
        let mine = try await client.pattern()
        try await user.quit(shell)
        await #expect(throws: ClientError.self) { try await PixelBoopClient.connect(to: user.socket) }
        #expect(user.files.contains(".local/share/pixelboop/patterns/mine.json"))
        #expect(user.files.contains(".local/share/pixelboop/patterns/house.json"))

        shell = try user.open()
        let folder = "\(user.home.path)/.local/state/pixelboop"
        try await shell.terminal.wait(until: "where it is kept") { $0.shows(folder) }
        client = try await user.play(in: shell)
        #expect(try await client.pattern() == mine)
        #expect(try await client.state().state.history.undo == 3)
        try await user.quit(shell)

        shell = try user.open("config/demo.json")
        try await shell.terminal.wait(until: "the refusal") { $0.shows("--replace") && $0.shows("ended with 1") }
        shell = try user.open("--replace \(Self.top)/config/demo.json")
        client = try await user.play(in: shell)
        #expect(try await client.pattern().cells == demo.cells)
        try await client.undo()
        #expect(try await client.pattern() == mine)
        try await user.quit(shell)
    }

    @Test func `a running daemon is used, and plays on`() async throws {
        let user = try User()
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", flags: ["--socket", user.socket])
        try await daemon.start()
        let client = try await PixelBoopClient.connect(to: user.socket)
        try await client.setNote(.bass, step: 0, note: 7, .accent)
        let mine = try await client.pattern()
        let shell = try user.open()
        try await shell.terminal.wait(until: "which daemon") { $0.shows("using the running daemon") }
        _ = try await user.play(in: shell)
        #expect(try await client.pattern() == mine)
        try await user.quit(shell)
        #expect(try await client.pattern() == mine)
        #expect(await daemon.end(with: SIGTERM) == 0)
        #expect(!user.files.contains(".local/state"))
    }

    @Test func `a throw-away session leaves the running daemon alone`() async throws {
        let user = try User()
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", flags: ["--socket", user.socket])
        try await daemon.start()
        let shell = try user.open("--scratch")
        let client = try await user.play(in: shell)
        #expect(try await client.pattern().cells.isEmpty)
        try await user.quit(shell)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test(.needs(PipeWireServer.need))
    func `where PipeWire runs it plays through that`() async throws {
        try await PipeWireServer.with(hasSessionManager: true) { server in
            let user = try User()
            let folder = try #require(server.environment["XDG_RUNTIME_DIR"])
            let shell = try user.open("", ["PIPEWIRE_RUNTIME_DIR": folder])
            try await shell.terminal.wait(until: "the server") { $0.shows("playing through PipeWire") }
            let client = try await user.play(in: shell)
            #expect(try await client.state().state.audio.driver == .jack)
            try await user.quit(shell)
        }
    }

    @Test func `without JACK it says how to listen, and with a page where to tap`() async throws {
        let user = try User()
        var shell = try user.open()
        try await shell.terminal.wait(until: "that it is silent") { $0.shows("nobody hears it yet: to listen") }
        _ = try await user.play(in: shell)
        try await user.quit(shell)

        shell = try user.open("--web", ["PIXELBOOP_WEB_LISTEN": "127.0.0.1:0"])
        try await shell.terminal.wait(until: "where to tap") {
            $0.shows("tap Start playing") && $0.shows("http://localhost:") && !$0.shows("no gateway")
        }
        _ = try await user.play(in: shell)
        try await user.quit(shell)
    }
}
