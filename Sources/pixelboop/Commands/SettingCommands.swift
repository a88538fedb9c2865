import ArgumentParser
import JSON
import Music
import PixelBoopClient
import Wire

struct SetTempo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tempo", abstract: "Set the tempo, or tap it.",
        discussion: "Tap again and again in rhythm: the second tap and those after it set the tempo.")

    enum Tempo: ExpressibleByArgument {
        case tap
        case bpm(Double)

        init?(argument: String) {
            if argument == "tap" {
                self = .tap
            } else if let bpm = Double(argument), bpm.isFinite {
                self = .bpm(bpm)
            } else {
                return nil
            }
        }
    }

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Argument(
        help: ArgumentHelp("Beats per minute, 20 to 300, or `tap`.", valueName: "bpm|tap"), completion: .list(["tap"]))
    var tempo: Tempo

    func run() async throws {
        try await connection.withClient { client in
            let bpm =
                switch tempo {
                case .tap: try await client.tapTempo()
                case .bpm(let bpm): try await client.setTempo(bpm)
                }
            try output.print(["bpm": .number(bpm)], "\(bpm.inWords) BPM")
        }
    }
}

struct SetScale: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "scale", abstract: "Set the scale; notes stay.")

    @OptionGroup var connection: ConnectionOptions
    @Argument(help: "The scale.")
    var scale: Scale

    func run() async throws {
        try await connection.withClient { _ = try await $0.set(.scale, to: .choice(scale)) }
    }
}

struct SetRoot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "root", abstract: "Set the scale's root; notes stay.")

    @OptionGroup var connection: ConnectionOptions
    @Argument(help: "The root, with sharps.")
    var root: PitchClass

    func run() async throws {
        try await connection.withClient { _ = try await $0.set(.root, to: .choice(root)) }
    }
}

struct SetLength: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "length", abstract: "Set how many steps are played.")

    @OptionGroup var connection: ConnectionOptions
    @Argument(help: "Steps, 8 to 32.")
    var length: Int

    func run() async throws {
        try await connection.withClient { _ = try await $0.set(.length, to: .number(Double(length))) }
    }
}

struct SetSwing: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "swing", abstract: "Set the swing.")

    @OptionGroup var connection: ConnectionOptions
    @Argument(help: "The share of two steps that the first one takes, 0.5 (straight) to 0.75.")
    var swing: Double

    func run() async throws {
        try await connection.withClient { _ = try await $0.set(.swing, to: .number(swing)) }
    }
}

struct SetTrack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Set a track's parameters: mute, level, place and more; without options, show it.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The track.")
    var track: Track
    @OptionGroup var options: ParameterOptions

    func run() async throws {
        try await connection.withClient { client in
            let state = try await client.set(track, options.values)
            try output.print(state, inWords(state))
        }
    }

    /// The line that `status` has, and below it what was set beyond that; everything when nothing was.
    private func inWords(_ state: TrackState) -> String {
        let others = Parameter.of(track).filter { parameter in
            !TrackState.inLine.contains(parameter) && (options.values.isEmpty || options.values[parameter] != nil)
        }
        let width = others.map(\.optionName.count).max() ?? 0
        let lines = others.compactMap { parameter in
            state.values[parameter].map { "  \(parameter.optionName.padded(to: width))  \($0.argument)" }
        }
        return ([state.inWords(of: track)] + lines).joined(separator: "\n")
    }
}
