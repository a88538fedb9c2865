import ArgumentParser
import JSON
import PixelBoopClient
import Wire

struct Kits: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the kits, and which files of samples cannot be used or are truncated.",
        discussion: """
            A kit of samples is a folder in the daemon's data directory: kits/NAME with kick.wav, low tom.flac and so on. It is
            chosen with 'pixelboop track rhythm --kit NAME'.
            """)

    @OptionGroup var daemon: DaemonOptions
    @Flag(help: "Look for kits again, and reload the samples that are played.")
    var reload = false

    func answer(from client: PixelBoopClient) async throws -> Answer {
        let kits = try await client.kits(reloading: reload)
        let lines = kits.flatMap { kit in
            let samples = kit.samples.isEmpty ? "no samples" : kit.samples.joined(separator: ", ")
            return [kit.isBuiltIn ? kit.name : "\(kit.name): \(samples)"]
                + (kit.refused + (kit.truncated ?? [])).map { "  \($0.file): \($0.reason)" }
        }
        return Answer(.array(kits.map { .object($0.json) }), lines.joined(separator: "\n"))
    }
}
