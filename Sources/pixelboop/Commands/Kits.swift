import ArgumentParser
import FoundationEssentials
import JSON
import PixelBoopClient
import Wire

struct Kits: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the kits, and which files of samples cannot be used.",
        discussion: """
            A kit of samples is a folder in the daemon's data directory: kits/NAME with kick.wav, low tom.flac and so on. It is
            chosen with 'pixelboop track rhythm --kit NAME'.
            """)

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Flag(help: "Look for kits anew, and load the samples that are played.")
    var reload = false

    func run() async throws {
        try await connection.withClient { client in
            let kits = try await client.kits(reloading: reload)
            let lines = kits.flatMap { kit in
                [
                    kit.isBuiltIn
                        ? kit.name
                        : "\(kit.name): \(kit.samples.isEmpty ? "no samples" : kit.samples.joined(separator: ", "))"
                ]
                    + kit.refused.map { "  \($0.file): \($0.reason)" }
            }
            try output.print(.array(kits.map { .object($0.json) }), lines.joined(separator: "\n"))
        }
    }
}

/// Where the daemon of this user looks for kits of samples.
enum KitDirectory {
    /// `pixelboop/kits` in `XDG_DATA_HOME`, else in the place that the XDG Base Directory Specification names.
    static func standard(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        // Relative and empty paths are to be ignored, says the specification.
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (data ?? "\(environment["HOME"] ?? "")/.local/share") + "/pixelboop/kits"
    }
}
