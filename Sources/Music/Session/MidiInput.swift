import Engine
import Instrument
import Music

final class MidiInput {
    /// How long more messages are expected after one.
    private static let liveliness: Duration = .seconds(2)

    private var arrivals: [ArrivedMessage] = []
    private var newestAt: Duration?
    private var knownLosses: UInt64 = 0
    private var haveKeyboardsLeft = false
    private let engine: Engine
    private let outbox: Outbox

    init(_ engine: Engine, _ outbox: Outbox) {
        self.engine = engine
        self.outbox = outbox
    }

    /// Whether messages have arrived lately.
    func isLively(at now: Duration) -> Bool { newestAt.map { now - $0 < Self.liveliness } ?? false }

    /// Collects the messages that arrived.
    func poll(at now: Duration) {
        while let arrival = engine.nextArrival() {
            let bytes = [arrival.message.status, arrival.message.first, arrival.message.second]
            let message = ArrivedMessage(
                frame: arrival.frame, usecs: arrival.usecs, bytes: Array(bytes.prefix(Int(arrival.message.count))))
            arrivals.append(message)
            newestAt = now
            outbox.emit(.midi(message))
        }
    }

    func removeMessages() -> [ArrivedMessage] {
        defer { arrivals.removeAll(keepingCapacity: true) }
        return arrivals
    }

    func keyboardsLeft() { haveKeyboardsLeft = true }

    func fetchDeparture() -> Bool {
        defer { haveKeyboardsLeft = false }
        return haveKeyboardsLeft
    }

    func hasLost() -> Bool {
        let losses = engine.lostArrivals
        defer { knownLosses = losses }
        return losses != knownLosses
    }
}

extension Session {
    /// The given ports, each with the full names of the ports that it is connected to, sorted; empty without JACK.
    public func connections(of ports: [EnginePort]) -> [(name: String, connections: [String])] {
        guard !link.isAlone else { return [] }
        return ports.map { ($0.name, (link.connections[$0.name] ?? []).sorted()) }
    }

    /// The messages since the last call, in order.
    public func fetchMessages() -> [ArrivedMessage] { midi.removeMessages() }

    /// Whether messages were lost since the last call because they were not read in time.
    public func haveMessagesBeenLost() -> Bool { midi.hasLost() }

    /// Whether a keyboard, or the driver, has gone since the last call.
    public func haveKeyboardsLeft() -> Bool { midi.fetchDeparture() }

    /// The last position of a controller on a channel; nil if it was never received.
    public func position(of trigger: MidiTrigger) -> Int? {
        guard let channel = trigger.channel else { return nil }
        return link.engine.newestValue(controller: UInt8(trigger.number), channel: UInt8(channel - 1)).map(Int.init)
    }

    /// Counts MIDI messages that were delayed, skipped or ignored as echoes.
    public var midiCounts: MidiCounts { link.engine.midiCounts }
}
