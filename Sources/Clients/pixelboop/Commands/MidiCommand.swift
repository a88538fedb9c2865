import ArgumentParser
import Instrument
import JSON
import Music
import PatternFormat
import PixelBoopClient
import Wire

struct MidiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "midi", abstract: "Bind keys and controllers at the port midi_in.",
        subcommands: [Listing.self, Watching.self, Learn.self, Unbind.self], defaultSubcommand: Listing.self)

    struct Listing: DaemonCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the MIDI ports, and what is bound.")

        @OptionGroup var daemon: DaemonOptions
        @Flag(help: "Show only what is bound.") var bindings = false

        func answer(from client: PixelBoopClient) async throws -> Answer {
            let ports = bindings ? [] : try await client.midiPorts()
            let list = try await client.bindings()
            let json = JSONValue.array(list.map { Kind<MidiBinding>.binding.json(of: $0) })
            return Answer(
                bindings ? json : ["ports": .array(ports.map { .object($0.json) }), "bindings": json],
                (ports.map(\.inWords) + list.map(\.inWords)).joined(separator: "\n"))
        }
    }

    struct Watching: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch", abstract: "Show what comes in, until you press Ctrl-C.")

        @OptionGroup var daemon: DaemonOptions

        func run() async throws {
            try await daemon.connection.withClient { client in
                for try await event in try await client.subscribe(to: [.midi]) {
                    guard case .midi(let news) = event, let arrival = news.arrival else { continue }
                    try daemon.output.print(news, "\(arrival.port)  \(arrival.inWords)")
                }
            }
        }
    }

    struct Learn: DaemonCommand {
        static let configuration = CommandConfiguration(
            abstract: "Bind a parameter or a method to the next key or controller you move.",
            discussion: """
                pixelboop midi learn track melody gain    a fader for the melody
                pixelboop midi learn tempo bpm            a knob for the tempo
                pixelboop midi learn transport.toggle     a button that plays and stops
                """)

        @OptionGroup var daemon: DaemonOptions
        @Argument(help: "A method or its first word, the track if it has one, and the parameter.")
        var words: [String]

        func validate() throws {
            guard parameters.count <= 1, !parameters.isEmpty || words[0].contains(".") else {
                throw ValidationError(
                    """
                    '\(words.joined(separator: " "))': expected a method, as transport.toggle, or a parameter, as \
                    tempo bpm or track melody gain
                    """)
            }
        }

        func answer(from client: PixelBoopClient) async throws -> Answer {
            let events = try await client.subscribe(to: [.midi])
            try await client.learn(action)
            for try await event in events {
                guard case .midi(let news) = event, let learned = news.learned else { continue }
                guard case .binding(let binding) = learned else { break }
                return Answer(Kind<MidiBinding>.binding.json(of: binding), binding.inWords)
            }
            throw Failure(
                .refused,
                """
                nothing was learned: no message arrived within 30 s, another client began to learn, or all \
                \(MidiBindings.capacity) bindings are taken
                """)
        }

        private var track: Track? { words.dropFirst().first.flatMap(Track.init(name:)) }

        /// The words after method and track: at most one is valid.
        private var parameters: ArraySlice<String> { words.dropFirst(track == nil ? 1 : 2) }

        private var action: MidiAction {
            let method = words[0].contains(".") ? words[0] : "\(words[0]).set"
            return MidiAction(
                method, track.map { ["track": .choice($0.name)] } ?? [:], value: parameters.first)
        }
    }

    struct Unbind: SilentCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove the binding of a key, a controller or a program.",
            discussion: """
                pixelboop midi unbind cc 7 --channel 1    as `pixelboop midi` shows it: cc 7, channel 1
                """)

        @OptionGroup var daemon: DaemonOptions
        @Argument(help: "cc, note or program.")
        var kind: MidiTrigger.Source
        @Argument(help: "Its number, 0 to 127.")
        var number: Int
        @Option(help: ArgumentHelp("Its channel, where it is bound on several.", valueName: "1-16"))
        var channel: Int?

        func perform(_ client: PixelBoopClient) async throws {
            let bound = try await client.bindings().map(\.trigger).filter { $0.kind == kind && $0.number == number }
            let meant = channel == nil ? bound : bound.filter { $0.channel == channel }
            guard let trigger = meant.count == 1 ? meant.first : meant.first(where: { $0.channel == channel }) else {
                throw Failure(.refused, complaint(bound))
            }
            try await client.unbind(trigger)
        }

        private func complaint(_ bound: [MidiTrigger]) -> String {
            let channels = bound.compactMap(\.channel).map(String.init).joined(separator: ", ")
            if bound.isEmpty { return "\(kind.name) \(number) is bound to nothing" }
            return channels.isEmpty
                ? "\(kind.name) \(number) is bound on any channel: leave --channel out"
                : "\(kind.name) \(number) is bound on --channel \(channels)"
        }
    }
}

extension MidiTrigger.Source: NamedArgument {}

extension InstrumentPort {
    /// `midi_in    a2j:Keystation [24] (capture): Keystation MIDI 1`
    fileprivate var inWords: String {
        name.padded(to: 9) + "  " + (connections.isEmpty ? "not connected" : connections.joined(separator: ", "))
    }
}

extension MidiBinding {
    /// `cc 7, channel 1: track.set track=melody, gain`
    fileprivate var inWords: String {
        let channel = trigger.channel.map { ", channel \($0)" } ?? ""
        let parameters = action.parameters.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value.argument)" }.joined()
        let value = action.value.map { ", \($0)" } ?? ""
        return "\(trigger.kind.name) \(trigger.number)\(channel): \(action.method)\(parameters)\(value)"
    }
}

extension ArrivedMessage {
    /// `90 3c 64`
    fileprivate var inWords: String {
        bytes.map { String($0, radix: 16).count < 2 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
            .joined(separator: " ")
    }
}
