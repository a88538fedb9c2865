import Foundation
import JSON
import ProgramTestSupport
import TestNeeds
import TestSupport
import Testing

/// The manual pages, which scripts/lib/manual.py makes from the programs' own descriptions.
@Suite(.timeLimit(.minutes(2)), .needs(.installed("bin/python3"))) struct ManualPageTests {
    private func page(_ name: String, of program: String, example: Bool = false) async throws -> String {
        let folder = try TemporaryDirectory()
        let top = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized.path
        let url = Program.folder.appending(path: program)
        if example {
            let text = try await Program.run(url, ["--example-config"], environment: ["HOME": "/home/ada"]).output
            try folder.write(text, to: "example.toml")
        }
        let outcome = try await Program.run(
            URL(filePath: "/usr/bin/python3"),
            [
                "-B", "\(top)/scripts/lib/manual.py", url.path, "\(top)/config/man/\(program)",
                example ? folder.file("example.toml") : "", folder.path,
            ], environment: ["PATH": "/usr/bin:/bin"])
        try #require(outcome.status == 0, "\(outcome.complaint)")
        return String(decoding: try folder.read(name), as: UTF8.self)
    }

    /// `slot`, `slot launch` and so on, as the program lists them.
    private func commands(in command: JSONObject, above: String = "") -> [String] {
        (command["subcommands"]?.arrayValue ?? []).compactMap(\.objectValue).flatMap { command -> [String] in
            guard let name = command["commandName"]?.stringValue, name != "help" else { return [] }
            return [above + name] + commands(in: command, above: "\(above)\(name) ")
        }
    }

    @Test func `each command of the command line is described, subcommands too`() async throws {
        let dump = try await Program.run(Program.url, ["--experimental-dump-help"], environment: [:]).output
        let commands = commands(in: try #require(try JSONValue(parsing: dump).objectValue?["command"]?.objectValue))
        #expect(commands.contains("slot copy") && commands.contains("midi unbind") && commands.contains("doctor"))
        let page = try await page("pixelboop.1", of: "pixelboop")
        for command in commands { #expect(page.contains("\n.Ss \(command)\n")) }
    }

    @Test func `each example of a command stands on a line of its own, with what it does`() async throws {
        let page = try await page("pixelboop.1", of: "pixelboop")
        #expect(page.contains(".It Ic \"pixelboop slot bass 3\"\nplay slot 3 from the next launch point on\n"))
        #expect(page.contains(".It Ic \"pixelboop call note.set '{\\(dqtrack\\(dq: "))
        #expect(!page.contains("Examples:"))
    }

    @Test func `a setting that is on or off is one flag and its negation, and one key`() async throws {
        let page = try await page("pixelboopd.8", of: "pixelboopd")
        #expect(page.contains(".Op Fl -connect | Fl -no-connect\n"))
        #expect(page.contains(".It Fl -connect , Fl -no-connect\nConnect the main ports"))
        #expect(page.contains(".Xr pixelboop 1") && page.contains(".Xr pixelboop-web 8"))
    }

    @Test func `each variable is listed, and the one socket that is not the daemon's has its own`() async throws {
        let daemon = try await page("pixelboopd.8", of: "pixelboopd")
        #expect(daemon.contains(".It Ev PIXELBOOP_SOCKET , PIXELBOOP_SOCKET_GROUP , PIXELBOOP_MAX_CLIENTS , "))
        #expect(daemon.contains(" , PIXELBOOP_LOG_LEVEL\n") && daemon.contains(".It Ev PIXELBOOP_CONFIG\n"))
        #expect(daemon.contains(".It Dv SIGHUP\nThe configuration is read again"))
        let session = try await page("pixelboop-nsm.1", of: "pixelboop-nsm")
        #expect(session.contains(".It Ev PIXELBOOP_NSM_SOCKET , PIXELBOOP_NSM_LOG_LEVEL\n"))
        #expect(session.contains(".It Pa $XDG_RUNTIME_DIR/pixelboop/sessions/NAME.sock\n"))
        #expect(!session.contains("control.sock\nThe daemon's"))
        #expect(session.contains("\n.Xr nsmd 1 ,\n.Xr pixelboop 1 ,\n.Xr pixelboopd 8\n"))
        let lights = try await page("pixelboop-lights.8", of: "pixelboop-lights")
        #expect(lights.contains(".It Ev PIXELBOOP_SOCKET , PIXELBOOP_LIGHTS_"))
        #expect(lights.contains(".It Dv SIGTERM , SIGINT , SIGHUP\n"))
    }

    @Test func `each key of a configuration file is described`() async throws {
        let page = try await page("pixelboopd.toml.5", of: "pixelboopd", example: true)
        #expect(page.contains(".It Ic max-clients No = Ar 1024\nClients that may be connected"))
        #expect(page.contains(".It Ic driver No = Ar \\(dqjack\\(dq\n"))
    }
}
