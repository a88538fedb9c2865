import Foundation
import ProgramTestSupport
import Testing

/// The commands in README and the pages for musicians can be typed as printed, in their order.
@Suite(.timeLimit(.minutes(2))) struct PageCommandTests {
    /// The indented lines of a page that call `pixelboop`, except for the terminal instrument and for playback until
    /// Ctrl-C, up to the section that needs a MIDI keyboard.
    private func commands(of page: String) throws -> [String] {
        let text = try DocumentationPage(page).text
        let end = text.range(of: "\n## With a MIDI keyboard")?.lowerBound ?? text.endIndex
        return text[..<end].split(separator: "\n").filter { $0.hasPrefix("    ") && !$0.hasSuffix(" tui") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix("pixelboop ") && !$0.contains("| aplay") }
            // A busy machine has late periods, and one without the rights no real-time priority: both are faults to doctor.
            .map { $0.replacing("pixelboop doctor ", with: "pixelboop doctor || [[ $? == 1 ]] ") }
    }

    @Test(arguments: ["README.md", "docs/playing.md"])
    func `the commands of a page do what they say`(page: String) async throws {
        let commands = try commands(of: page)
        #expect(commands.count >= 4)
        try await Stage.with { stage in
            _ = try await stage.connect()
            let outcome = try await stage.type(commands)
            #expect(outcome.status == 0)
            // `listen` reports on standard error what it writes: its standard output may be the sound itself.
            let complaints = outcome.complaint.split(separator: "\n").filter { !$0.hasPrefix("take.wav") }
            #expect(complaints == [])
        }
    }
}
