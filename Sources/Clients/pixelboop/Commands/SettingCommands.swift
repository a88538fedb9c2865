import ArgumentParser
import JSON
import Music
import PatternFormat
import PixelBoopClient
import Wire

struct SetTempo: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "tempo", abstract: "Set, change or tap the tempo; without a value, show it.",
        discussion: """
            pixelboop tempo 127.5
            pixelboop tempo +5                        and tempo -5
            pixelboop tempo tap                       again and again in rhythm: the second tap sets it
            """)

    enum Tempo: ExpressibleByArgument {
        case tap
        case bpm(Double)
        case change(Double)

        init?(argument: String) {
            if argument == "tap" {
                self = .tap
            } else if let number = Double(argument), number.isFinite {
                self = ["+", "-"].contains(argument.first) ? .change(number) : .bpm(number)
            } else {
                return nil
            }
        }
    }

    @OptionGroup var daemon: DaemonOptions
    @Argument(
        help: ArgumentHelp("Beats per minute, 20 to 300, a change as +5 or -5, or `tap`.", valueName: "bpm|tap"),
        completion: .list(["tap"]))
    var tempo: Tempo?

    func answer(from client: PixelBoopClient) async throws -> Answer {
        let bpm = try await result(client)
        return Answer(["bpm": .number(bpm)], "\(bpm.inWords) BPM")
    }

    private func result(_ client: PixelBoopClient) async throws -> Double {
        switch tempo {
        case .tap: return try await client.tapTempo()
        case .bpm(let bpm): return try await client.setTempo(bpm)
        case .change(let change):
            // The state keeps a tempo within its range.
            var state = try await client.state().state
            state.bpm += change
            return try await client.setTempo(state.bpm)
        case nil: return try await client.state().state.bpm
        }
    }
}

extension PixelBoopClient {
    /// Sets a parameter of the whole instrument if a value is given, and returns its value.
    func parameter(_ parameter: Parameter, setTo value: ParameterValue?) async throws -> ParameterValue {
        if let value { return try await set(parameter, to: value) }
        return try await state().state.settings[parameter]
    }

    fileprivate func answer(_ parameter: Parameter, setTo value: ParameterValue?) async throws -> Answer {
        let kept = try await self.parameter(parameter, setTo: value)
        return Answer([parameter.row.name: kept.json], kept.argument)
    }
}

struct SetScale: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale", abstract: "Set or show the scale; notes stay.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The scale.")
    var scale: Scale?

    func answer(from client: PixelBoopClient) async throws -> Answer {
        try await client.answer(.scale, setTo: scale.map { .choice($0) })
    }
}

struct SetRoot: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "root", abstract: "Set or show the scale's root; notes stay.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The root: A, A#, Bb.")
    var root: PitchClass?

    func answer(from client: PixelBoopClient) async throws -> Answer {
        try await client.answer(.root, setTo: root.map { .choice($0) })
    }
}

struct SetLength: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "length", abstract: "Set or show how many steps are played.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "Steps, 8 to 32.")
    var length: Int?

    func answer(from client: PixelBoopClient) async throws -> Answer {
        try await client.answer(.length, setTo: length.map { .number(Double($0)) })
    }
}

struct SetSwing: DaemonCommand {
    static let configuration = CommandConfiguration(commandName: "swing", abstract: "Set or show the swing.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The first step's share of two steps, 0.5 (straight) to 0.75.")
    var swing: Double?

    func answer(from client: PixelBoopClient) async throws -> Answer {
        try await client.answer(.swing, setTo: swing.map { .number($0) })
    }
}

struct SetTrack: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Set a track's parameters: mute, level, place and more; without options, show it.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The track.")
    var track: Track
    @OptionGroup var options: ParameterOptions

    func validate() throws { _ = try options.values(on: track) }

    func answer(from client: PixelBoopClient) async throws -> Answer {
        let values = try options.values(on: track)
        let state = try await client.set(track, values)
        return Answer(state, inWords(state, values))
    }

    /// The track's line in `status`, then the values that were set, or all of them if none were.
    private func inWords(_ state: TrackState, _ values: [Parameter: ParameterValue]) -> String {
        let others = Parameter.of(track).filter { parameter in
            !TrackState.inLine.contains(parameter) && (values.isEmpty || values[parameter] != nil)
        }
        let width = others.map(\.row.argument.count).max() ?? 0
        let lines = others.compactMap { parameter in
            state.values[parameter].map { "  \(parameter.row.argument.padded(to: width))  \($0.argument)" }
        }
        return ([state.inWords(of: track)] + lines).joined(separator: "\n")
    }
}
