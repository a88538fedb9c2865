import Instrument
import Music
import Synchronization

/// A message that arrived at the MIDI input.
public struct MidiArrival: Sendable, BitwiseCopyable {
    /// The driver's frame at which it arrived.
    public var frame: Int64
    /// JACK's time of that frame in µs.
    public var usecs: UInt64
    /// The message; its own frame is 0.
    public var message: MidiEvent
}

/// What the process callback reports about MIDI.
@safe
struct MidiExchange: ~Copyable {
    /// Messages that had to wait for the next period, because the output had no room.
    let delayed = Counter()
    /// Messages that were skipped; see ``MidiParser/skippedCount``.
    let skipped = Counter()
    /// Notes that were our own, sent back.
    let echoes = Counter()
    /// Messages that were never read, because the ring was full.
    private let lost = Counter()
    private let arrivals = Ring(
        capacityBits: 11, MidiArrival(frame: 0, usecs: 0, message: MidiEvent(frame: 0, 0)))
    /// The position of each controller plus 1, by channel * 128 + controller; 0 if it was never received. Kept even
    /// when messages are lost.
    private let values = FixedArray(count: KeyLedger.LedgerPlace.count) { _ in Atomic<UInt8>(0) }

    /// Reports an incoming message, unless it is a clock tick or active sensing.
    func push(_ message: MidiEvent, offset: Int, in cycle: RtCycle) {
        if message.status == 0xf8 || message.status == 0xfe { return }
        if message.status & 0xf0 == 0xb0 {
            let place = KeyLedger.LedgerPlace(channel: message.status & 0xf, key: message.first)
            values[place.index].store(message.second + 1, ordering: .relaxed)
        }
        let arrival = MidiArrival(
            frame: cycle.startFrame + Int64(offset), usecs: cycle.usecs(at: offset), message: message)
        if !arrivals.push(arrival) { lost.add(1) }
    }

    /// Adds to the count of echoes, and sets the count of skipped messages.
    func count(echoes more: UInt64, skipped all: UInt64) {
        echoes.add(more)
        skipped.set(all)
    }

    /// The oldest unread message; nil if there is none.
    func nextArrival() -> MidiArrival? { arrivals.pop() }

    /// The last position of a controller; nil if it was never received.
    func newestValue(controller: UInt8, channel: UInt8) -> UInt8? {
        let place = KeyLedger.LedgerPlace(channel: channel, key: controller)
        let value = values[place.index].load(ordering: .relaxed)
        return value == 0 ? nil : value - 1
    }

    /// Messages that were never read, because the ring was full.
    var lostCount: UInt64 { lost.value }

    var counts: MidiCounts {
        MidiCounts(
            delayed: Int(clamping: delayed.value), skipped: Int(clamping: skipped.value),
            echoes: Int(clamping: echoes.value))
    }
}
