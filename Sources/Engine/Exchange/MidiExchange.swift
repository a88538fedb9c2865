import Lockless

/// What the process callback tells of MIDI.
struct MidiExchange: ~Copyable {
    /// Messages that had to wait for the next period, because the output had no room.
    let delayed = Counter()
    /// Messages that made no sense.
    let skipped = Counter()
    /// Notes that were our own, sent back.
    let echoes = Counter()
    private let arrivals = ArrivalRing()

    init() {}

    /// Tells of a message that came in; ticks and active sensing are not worth telling.
    @_noLocks @_noAllocation
    func push(_ message: MidiEvent, offset: Int, in cycle: RtCycle) {
        if message.status == 0xf8 || message.status == 0xfe { return }
        let usecs = cycle.startUsecs + UInt64(Double(offset) * cycle.usecsPerFrame + 0.5)
        arrivals.push(MidiArrival(frame: cycle.startFrame + Int64(offset), usecs: usecs, message: message))
    }

    /// Counts echoes, more of them, and messages that made no sense, all of them.
    @_noLocks @_noAllocation
    func count(echoes more: UInt64, skipped all: UInt64) {
        echoes.add(more)
        skipped.set(all)
    }

    /// The oldest message that was told of, nil when there is none.
    func nextArrival() -> MidiArrival? { arrivals.pop() }

    /// Where a controller, or the last program of a channel, stood last; nil when it never came.
    func newestValue(controller: UInt8, channel: UInt8) -> UInt8? {
        arrivals.newestValue(controller: controller, channel: channel)
    }

    /// Messages that nobody was told of, because nobody took them in time.
    var lostCount: UInt64 { arrivals.lostCount }

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
