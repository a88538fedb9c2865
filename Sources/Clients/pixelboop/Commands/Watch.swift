import ArgumentParser
import Grid
import JSON
import PixelBoopClient
import Wire

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print events as lines of JSON until interrupted.",
        discussion: """
            Each line is {"method": ..., "params": ...} as in the protocol: first the whole state or picture, then what \
            changes.
            """)

    @OptionGroup var connection: ConnectionOptions
    @Option(parsing: .upToNextOption, help: "What to watch.")
    var topics: [Topic] = [.state, .step, .tooltip, .haptic]
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Pictures a second at most, 1 to 240; 60 unless given.", valueName: "n"))
    var maxFps: Int?
    @Option(parsing: .unconditional, help: ArgumentHelp("End after this many events, 1 or more.", valueName: "n"))
    var count: Int?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count: expected 1 or more, got \(count)") }
    }

    func run() async throws {
        try await connection.withClient { client in
            let subscription = try await client.subscribe(to: Set(topics), maximumFrameRate: maxFps)
            var writer = EventWriter()
            var left = count ?? .max
            for try await event in subscription where left > 0 {
                try Output.line(writer.json(of: event))
                left -= 1
                if left <= 0 { return }
            }
        }
    }
}

/// Writes events as the protocol does: the first picture and state whole, later ones as changes.
struct EventWriter {
    private var picture: KeyFrame?
    private var state: JSONValue?
    private var labels: Labels?
    private var labelCount = 0

    mutating func json(of event: ClientEvent) -> JSONValue {
        switch event {
        case .frame(let keyFrame): json(of: keyFrame)
        case .state(let snapshot): json(of: snapshot.json)
        case .labels(let labels): json(of: labels)
        default: event.message.map { message($0) } ?? .null
        }
    }

    private mutating func json(of new: Labels) -> JSONValue {
        defer {
            labels = new
            labelCount += 1
        }
        let base = labels.map { _ in labelCount }
        return message(
            LabelUpdate(sequence: labelCount + 1, base: base, changes: new.changes(from: labels ?? Labels())))
    }

    private mutating func json(of keyFrame: KeyFrame) -> JSONValue {
        defer { picture = keyFrame }
        guard let picture else { return message(FrameUpdate.method, .object(keyFrame.json)) }
        return message(
            FrameUpdate(
                sequence: keyFrame.sequence, base: picture.sequence,
                changes: keyFrame.frame.changes(from: picture.frame)))
    }

    private mutating func json(of new: JSONValue) -> JSONValue {
        defer { state = new }
        return message(Topic.state.rawValue, state.map { .mergePatch(from: $0, to: new) } ?? new)
    }

    private func message<Message: NotificationMessage>(_ message: Message) -> JSONValue {
        self.message(Message.method, .object(message.json))
    }

    private func message(_ method: String, _ parameters: JSONValue) -> JSONValue {
        ["method": .string(method), "params": parameters]
    }
}
