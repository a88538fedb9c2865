import DaemonTestSupport
import Foundation
import ProgramTestSupport
import Testing

/// The commands in README and the pages for musicians can be typed as printed, in their order.
@Suite(.timeLimit(.minutes(2))) struct PageCommandTests {
    /// The indented lines of a page that call `pixelboop`, except for the terminal instrument and for playback until
    /// Ctrl-C, up to the section that needs a MIDI keyboard.
    private func commands(of page: String) throws -> [String] {
        let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let text = try String(contentsOf: top.appending(path: page), encoding: .utf8)
        let end = text.range(of: "\n## With a MIDI keyboard")?.lowerBound ?? text.endIndex
        return text[..<end].split(separator: "\n").filter { $0.hasPrefix("    ") && !$0.hasSuffix(" tui") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix("pixelboop ") && !$0.contains("| aplay") }
    }

    @Test(arguments: ["README.md", "docs/playing.md"])
    func `the commands of a page do what they say`(page: String) async throws {
        let commands = try commands(of: page)
        #expect(commands.count >= 4)
        try await Stage.with { stage in
            _ = try await stage.connect()
            let folder = stage.daemon.directory.appending(path: "work").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let script = "set -e; cd '\(folder)'\n" + commands.joined(separator: "\n")
            let outcome = try await Program.run(
                URL(filePath: "/bin/bash"), ["-c", script],
                environment: [
                    "PATH": "\(Program.folder.path):/usr/bin:/bin", "PIXELBOOP_SOCKET": stage.daemon.socketPath,
                ])
            #expect(outcome.status == 0)
            // `listen` reports on standard error what it writes: its standard output may be the sound itself.
            let complaints = outcome.complaint.split(separator: "\n").filter { !$0.hasPrefix("take.wav") }
            #expect(complaints == [])
        }
    }
}
