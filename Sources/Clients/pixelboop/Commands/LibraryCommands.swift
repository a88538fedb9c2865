import ArgumentParser
import JSON
import PixelBoopClient
import Wire

struct New: SilentCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start with an empty pattern; one undo brings everything back.",
        discussion: """
            All slots are emptied. Tempo, swing, key, length, sounds and mixer are those of a new instrument. Sync, MIDI \
            settings, bindings, colours, ghosts, connections and samples stay.
            """)

    @OptionGroup var daemon: DaemonOptions

    func perform(_ client: PixelBoopClient) async throws { try await client.newPattern() }
}

struct Save: SilentCommand {
    static let configuration = CommandConfiguration(
        abstract: "Save the pattern in the daemon's library; one of that name is overwritten.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "1 to 64 characters, no slash, no leading dot.", completion: LibraryNames.completion)
    var name: String

    func perform(_ client: PixelBoopClient) async throws { try await client.save(name) }
}

struct Load: SilentCommand {
    static let configuration = CommandConfiguration(
        abstract: "Load a pattern from the daemon's library; one undo brings the old one back.")

    @OptionGroup var daemon: DaemonOptions
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Load only its playing notes, into this scene, 1 to 8.", valueName: "scene"))
    var scene: Int?
    @Argument(help: "The pattern's name.", completion: LibraryNames.completion)
    var name: String

    func perform(_ client: PixelBoopClient) async throws { try await client.load(name, intoScene: scene) }
}

struct List: DaemonCommand {
    static let configuration = CommandConfiguration(abstract: "List the patterns in the daemon's library.")

    @OptionGroup var daemon: DaemonOptions

    func answer(from client: PixelBoopClient) async throws -> Answer {
        let entries = try await client.library()
        let width = entries.map(\.name.count).max() ?? 0
        let lines = entries.map { entry in
            let bpm = "\(entry.bpm.inWords) BPM".padded(to: 10)
            let scale = entry.scale.padded(to: 5)
            return "\(entry.name.padded(to: width))  \(bpm)  \(scale)  \(entry.length) steps  \(entry.modified)"
        }
        return Answer(.array(entries.map { .object($0.json) }), lines.joined(separator: "\n"))
    }
}

struct Rename: SilentCommand {
    static let configuration = CommandConfiguration(abstract: "Rename a pattern in the daemon's library.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The pattern's name.", completion: LibraryNames.completion)
    var name: String
    @Argument(help: "Its new name.")
    var newName: String

    func perform(_ client: PixelBoopClient) async throws { try await client.rename(name, to: newName) }
}

struct Delete: SilentCommand {
    static let configuration = CommandConfiguration(abstract: "Delete a pattern from the daemon's library.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The pattern's name.", completion: LibraryNames.completion)
    var name: String

    func perform(_ client: PixelBoopClient) async throws { try await client.delete(name) }
}

/// The names of the patterns in the daemon's library, for shell completion.
enum LibraryNames {
    /// Completes the name of a pattern.
    static let completion = CompletionKind.custom { words, _, _ in
        await names(socket: ConnectionOptions.socket(in: words))
    }

    /// Empty without a daemon: the shell waits for the completion.
    private static func names(socket path: String) async -> [String] {
        guard let client = try? await PixelBoopClient.connect(to: path) else { return [] }
        defer { client.close() }
        return (try? await client.library().map(\.name)) ?? []
    }
}
