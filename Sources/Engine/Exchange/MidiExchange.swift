import Lockless

/// What the process callback tells of MIDI.
struct MidiExchange: ~Copyable {
    /// Messages that had to wait for the next period, because the output had no room.
    let delayed = Counter()
    /// Messages that made no sense.
    let skipped = Counter()
    /// Notes that were our own, sent back.
    let echoes = Counter()

    init() {}

    /// The counters now.
    var counts: MidiCounts {
        MidiCounts(delayed: delayed.value, skipped: skipped.value, echoes: echoes.value)
    }
}

/// What became of MIDI messages that were not dealt with at once, since the start.
public struct MidiCounts: Sendable, Equatable {
    /// Messages that had to wait for the next period, because the output had no room.
    public var delayed: UInt64
    /// Messages that came in and made no sense.
    public var skipped: UInt64
    /// Notes that came in and were our own, sent back by those who repeat what they hear.
    public var echoes: UInt64
}
