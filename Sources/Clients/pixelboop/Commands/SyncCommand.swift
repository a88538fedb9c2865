import ArgumentParser
import JSON
import Music
import PixelBoopClient
import Wire

struct SetSync: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Follow another tempo, or lead; without arguments, show what is followed.",
        discussion: """
            internal follows nothing. jack follows JACK's transport and its timebase master, midi the clock at the \
            port midi_in, timeline a timeline from another program, such as pixelboop-link. auto follows the best \
            source available, and continues alone when it is gone.
            """)

    @OptionGroup var daemon: DaemonOptions
    @Argument(
        help: "What to follow: internal, jack, midi, timeline or auto.",
        completion: .list(SyncSource.allCases.map(\.name)), transform: reader(of: .syncSource))
    var source: ParameterValue?
    @Option(
        help: ArgumentHelp(
            "Where our tempo and position are published: jack, midi, both as jack,midi, or none.", valueName: "names"),
        completion: .list(SyncLead.allCases.map(\.name) + ["none"]), transform: reader(of: .syncLead))
    var lead: ParameterValue?
    @Option(help: ArgumentHelp("Join a timeline on a multiple of this many beats, 1 to 64.", valueName: "beats"))
    var quantum: Double?
    @Flag(
        name: [.long, .customLong("startStop")], inversion: .prefixedNo, help: "Share starts and stops with a timeline."
    )
    var startStop: Bool?
    @Option(
        name: [.long, .customLong("offsetIn")], parsing: .unconditional,
        help: ArgumentHelp(
            "Play this much later than the source, -200 to 200; negative for earlier.", valueName: "ms"))
    var offsetIn: Double?
    @Option(
        name: [.long, .customLong("offsetOut")], parsing: .unconditional,
        help: ArgumentHelp(
            "Send our MIDI clock this much later than it is heard, -200 to 200; negative for earlier.", valueName: "ms")
    )
    var offsetOut: Double?
    @Option(
        help: ArgumentHelp(
            "Send notes and clock as they are played (none) or as the sound is heard (compensate).", valueName: "how"),
        completion: .list(["none", "compensate"]), transform: reader(of: .syncLatency))
    var latency: ParameterValue?

    /// Reads a parameter's value.
    private static func reader(of parameter: Parameter) -> @Sendable (String) throws -> ParameterValue {
        { text in
            guard let value = ParameterValue(text, of: parameter) else {
                throw ValidationError("expected \(parameter.argumentValues)")
            }
            return value
        }
    }

    func answer(from client: PixelBoopClient) async throws -> Answer {
        var values: [Parameter: ParameterValue] = [:]
        values[.syncSource] = source
        values[.syncLead] = lead
        values[.syncQuantum] = quantum.map { .number($0) }
        values[.syncStartStop] = startStop.map { .toggle($0) }
        values[.syncOffsetIn] = offsetIn.map { .number($0) }
        values[.syncOffsetOut] = offsetOut.map { .number($0) }
        values[.syncLatency] = latency
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
