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

/// What is known of the MIDI input.
struct MidiListening {
    /// How long after a message others are expected soon.
    static let liveliness: Duration = .seconds(2)

    var arrivals: [ArrivedMessage] = []
    var newestAt: Duration?
    var knownLosses: UInt64 = 0

    /// Whether messages have come lately.
    func isLively(at now: Duration) -> Bool { newestAt.map { now - $0 < MidiListening.liveliness } ?? false }
}

extension Session {
    /// The names of our MIDI ports, and the full names of the ports that each is connected to, sorted.
    public var midiPorts: [(name: String, connections: [String])] {
        EnginePort.midi.map { ($0.name, (audio.midiConnections[$0.name] ?? []).sorted()) }
    }

    /// Takes what came in at the MIDI input.
    func takeArrivals(at now: Duration) {
        while let arrival = engine.nextArrival() {
            let message = ArrivedMessage(arrival)
            midi.arrivals.append(message)
            midi.newestAt = now
            emit(.midi(message))
        }
    }

    /// The messages that came in since the last call, in order.
    public func takeMessages() -> [ArrivedMessage] {
        defer { midi.arrivals.removeAll(keepingCapacity: true) }
        return midi.arrivals
    }

    /// Whether messages were lost since the last call, because nobody took them in time.
    public func haveMessagesBeenLost() -> Bool {
        let losses = engine.lostArrivals
        defer { midi.knownLosses = losses }
        return losses != midi.knownLosses
    }

    /// Where a controller stood last, on any channel unless one is named; nil when it never came.
    public func position(of trigger: MidiTrigger) -> Int? {
        (trigger.channel.map { $0...$0 } ?? 1...16).lazy.compactMap { [engine] channel in
            engine.newestValue(controller: UInt8(trigger.number), channel: UInt8(channel - 1)).map(Int.init)
        }.first
    }
}
