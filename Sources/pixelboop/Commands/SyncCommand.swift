import ArgumentParser
import JSON
import Music
import PixelBoopClient
import Wire

struct SetSync: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Follow somebody else's tempo, or lead; without arguments, show who is followed.",
        discussion: """
            internal follows nobody. jack follows JACK's transport and its timebase master, midi the clock at the port \
            midi_in, timeline what another program holds, such as pixelboop-link. auto follows what is there, and goes on \
            alone when it is gone.
            """)

    @OptionGroup var daemon: DaemonOptions
    @Argument(
        help: "What to follow: internal, jack, midi, timeline or auto.",
        completion: .list(SyncSource.allCases.map(\.name)))
    var source: SourceName?
    @Option(
        help: ArgumentHelp(
            "Who is given our tempo and position: jack, midi, both as jack,midi, or none.", valueName: "names"),
        completion: .list(SyncLead.allCases.map(\.name) + ["none"]))
    var lead: LeadNames?
    @Option(help: ArgumentHelp("Join a timeline on a multiple of this many beats, 1 to 64.", valueName: "beats"))
    var quantum: Double?
    @Flag(
        name: [.long, .customLong("startStop")], inversion: .prefixedNo, help: "Share starts and stops with a timeline."
    )
    var startStop: Bool?
    @Option(
        name: [.long, .customLong("offsetIn")], parsing: .unconditional,
        help: ArgumentHelp(
            "Play this much later than what is followed, -200 to 200; negative for earlier.", valueName: "ms"))
    var offsetIn: Double?
    @Option(
        name: [.long, .customLong("offsetOut")], parsing: .unconditional,
        help: ArgumentHelp(
            "Send our MIDI clock this much later than it is heard, -200 to 200; negative for earlier.", valueName: "ms")
    )
    var offsetOut: Double?
    @Option(
        help: ArgumentHelp(
            "Send notes and clock as they are played, none, or as our sound is heard, compensate.", valueName: "how"),
        completion: .list(["none", "compensate"]))
    var latency: LatencyName?

    struct SourceName: ExpressibleByArgument {
        let value: ParameterValue

        init?(argument: String) {
            guard let value = ParameterValue(argument, of: .syncSource) else { return nil }
            self.value = value
        }
    }

    struct LatencyName: ExpressibleByArgument {
        let value: ParameterValue

        init?(argument: String) {
            guard let value = ParameterValue(argument, of: .syncLatency) else { return nil }
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

    func answer(from client: PixelBoopClient) async throws -> Answer {
        var values: [Parameter: ParameterValue] = [:]
        values[.syncSource] = source?.value
        values[.syncLead] = lead?.value
        values[.syncQuantum] = quantum.map { .number($0) }
        values[.syncStartStop] = startStop.map { .toggle($0) }
        values[.syncOffsetIn] = offsetIn.map { .number($0) }
        values[.syncOffsetOut] = offsetOut.map { .number($0) }
        values[.syncLatency] = latency?.value
        guard values.isEmpty else {
            try await client.setSync(values)
            return .done
        }
        let state = try await client.state()
        return Answer(
            state.json.objectValue?["sync"] ?? .object([:]),
            state.state.syncInWords ?? "alone, at \(state.state.bpm.inWords) BPM")
    }
}
