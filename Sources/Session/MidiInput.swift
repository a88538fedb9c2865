import Engine
import Music

/// A message that came in at the MIDI input.
public struct ArrivedMessage: Equatable, Sendable {
    /// The audio frame on which it came.
    public let frame: Int64
    /// JACK's time of that frame in µs.
    public let usecs: UInt64
    /// One to three bytes.
    public let bytes: [UInt8]

    /// A message that came on a frame, whose time of JACK's is in µs.
    package init(frame: Int64, usecs: UInt64, bytes: [UInt8]) {
        self.frame = frame
        self.usecs = usecs
        self.bytes = bytes
    }

    init(_ arrival: MidiArrival) {
        let message = arrival.message
        self.init(
            frame: arrival.frame, usecs: arrival.usecs,
            bytes: Array([message.status, message.first, message.second].prefix(Int(message.count))))
    }
}

/// What comes in at the MIDI input.
final class MidiInput {
    /// How long after a message others are expected soon.
    private static let liveliness: Duration = .seconds(2)

    private var arrivals: [ArrivedMessage] = []
    private var newestAt: Duration?
    private var knownLosses: UInt64 = 0
    private let engine: Engine
    private let outbox: Outbox

    init(_ engine: Engine, _ outbox: Outbox) {
        self.engine = engine
        self.outbox = outbox
    }

    /// Whether messages have come lately.
    func isLively(at now: Duration) -> Bool { newestAt.map { now - $0 < Self.liveliness } ?? false }

    /// Collects what came in.
    func poll(at now: Duration) {
        while let arrival = engine.nextArrival() {
            let message = ArrivedMessage(arrival)
            arrivals.append(message)
            newestAt = now
            outbox.emit(.midi(message))
        }
    }

    func removeMessages() -> [ArrivedMessage] {
        defer { arrivals.removeAll(keepingCapacity: true) }
        return arrivals
    }

    func hasLost() -> Bool {
        let losses = engine.lostArrivals
        defer { knownLosses = losses }
        return losses != knownLosses
    }
}

extension Session {
    /// Those of our ports that the driver has, and the full names of the ports that each is connected to, sorted.
    public func connections(of ports: [EnginePort]) -> [(name: String, connections: [String])] {
        guard driver == .jack else { return [] }
        return ports.map { ($0.name, (audio.connections[$0.name] ?? []).sorted()) }
    }

    /// The messages that came in since the last call, in order.
    public func takeMessages() -> [ArrivedMessage] { midi.removeMessages() }

    /// Whether messages were lost since the last call, because nobody collected them in time.
    public func haveMessagesBeenLost() -> Bool { midi.hasLost() }

    /// Where a controller stood last, on any channel unless one is named; nil when it never came.
    public func position(of trigger: MidiTrigger) -> Int? {
        (trigger.channel.map { $0...$0 } ?? 1...16).lazy.compactMap { [engine = link.engine] channel in
            engine.newestValue(controller: UInt8(trigger.number), channel: UInt8(channel - 1)).map(Int.init)
        }.first
    }

    /// What became of MIDI messages that were not dealt with at once.
    public var midiCounts: MidiCounts { link.engine.midiCounts }
}
