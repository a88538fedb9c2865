import ArgumentParser
import JSON
import Music
import PixelBoopClient
import Wire

struct SetSync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Follow somebody else's tempo, or lead; without arguments, show who is followed.",
        discussion: """
            internal follows nobody. jack follows JACK's transport and its timebase master, midi the clock at the port \
            midi_in, timeline what another program holds, such as pixelboop-link. auto follows what is there, and goes on \
            alone when it is gone. The other settings are set by pixelboop set: sync.quantum, sync.startStop, \
            sync.offsetIn and sync.offsetOut.
            """)

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Argument(
        help: "What to follow: internal, jack, midi, timeline or auto.",
        completion: .list(SyncSource.allCases.map(\.name)))
    var source: SourceName?
    @Option(
        help: ArgumentHelp(
            "Who is given our tempo and position: jack, midi, both as jack,midi, or none.", valueName: "names"),
        completion: .list(SyncLead.allCases.map(\.name) + ["none"]))
    var lead: LeadNames?

    struct SourceName: ExpressibleByArgument {
        let value: ParameterValue

        init?(argument: String) {
            guard let value = ParameterValue(argument, of: .syncSource) else { return nil }
            self.value = value
        }
    }

    struct LeadNames: ExpressibleByArgument {
        let value: ParameterValue

        init?(argument: String) {
            guard let value = ParameterValue(argument, of: .syncLead) else { return nil }
            self.value = value
        }
    }

    func run() async throws {
        var values: [Parameter: ParameterValue] = [:]
        values[.syncSource] = source?.value
        values[.syncLead] = lead?.value
        try await connection.withClient { [values] client in
            guard values.isEmpty else { return try await client.setSync(values) }
            let state = try await client.state()
            try output.print(
                state.json.objectValue?["sync"] ?? .object([:]),
                state.state.syncInWords ?? "alone, at \(state.state.bpm.inWords) BPM")
        }
    }
}
