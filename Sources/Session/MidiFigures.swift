import Engine

/// What became of MIDI messages that were not dealt with at once, since the start.
public struct MidiFigures: Equatable, Sendable {
    /// Messages that had to wait for the next period, because the output had no room.
    public let delayed: Int
    /// Messages that came in and made no sense.
    public let skipped: Int
    /// Notes that came in and were our own, sent back.
    public let echoes: Int

    init(_ counts: MidiCounts) {
        delayed = Int(clamping: counts.delayed)
        skipped = Int(clamping: counts.skipped)
        echoes = Int(clamping: counts.echoes)
    }
}
