/// Finds our own messages that come back at the MIDI input: through a synthesizer with soft thru, or through ports that are
/// connected in a circle.
///
/// A note that comes back has the key and velocity of one that was sent, and arrives within the window, in a later
/// cycle. That alone proves nothing: a player or another sequencer may play the same note. But input is forwarded,
/// and if the forwarded note comes back too, after the same time, there is a loop: no player strikes a key that is
/// down, or the same key with the same velocity at such intervals. From then on, or where ports are known to be in a
/// circle, a channel's notes that come back are ignored, until one fails to come back. A bound note is not forwarded:
/// the first one that comes back shows that there is a loop, because it must not call what it is bound to.
///
/// Controllers, bend and pressure that come back are ignored on such channels; those of our own motions on any channel, as
/// they would only set again what they have just set.
struct MidiFeedbackFilter: ~Copyable {
    /// How a note came to be sent.
    struct Origin: BitwiseCopyable {
        /// How often it had come back before; -1 for a note that a player struck.
        var generation: Int
        /// How many frames it last took to come back; 0 if it never did.
        var delay: Int64 = 0

        init(generation: Int, delay: Int64 = 0) { (self.generation, self.delay) = (generation, delay) }
    }

    struct Sent: BitwiseCopyable {
        var place = -1
        var velocity: UInt8 = 0
        var frame = Int64.min / 2
        var origin = Origin(generation: 0)
        var isReturned = true

        init() {}
    }

    /// A controller, bend or pressure that was sent.
    struct Passed: BitwiseCopyable {
        var event = MidiEvent(frame: 0, 0)
        var frame = Int64.min / 2
        /// Whether it is our own rather than forwarded.
        var isOwn = false
        var isReturned = true

        init() {}
    }

    /// The notes that were sent last; the oldest is at ``next``.
    private let sent = FixedArray<Sent>(count: MidiFeedbackFilter.capacity) { _ in Sent() }
    private var next = 0
    /// The other messages sent last; the oldest is at ``nextPassed``.
    private let passed = FixedArray<Passed>(count: MidiFeedbackFilter.capacity) { _ in Passed() }
    private var nextPassed = 0
    /// When each key was last released.
    private let releases = FixedArray<Int64>(count: KeyLedger.LedgerPlace.count) { _ in .min / 2 }
    /// Keys whose start came back, and whose end is expected.
    private let echoed = FixedArray<Bool>(count: KeyLedger.LedgerPlace.count) { _ in false }
    /// Channels, one bit each, whose notes come back.
    private var looping: UInt16 = 0
    /// The oldest note of each channel that is yet to come back, by its frame.
    private let awaited = FixedArray<Int64>(count: 16) { _ in .max }
    /// Whether ports are connected in a circle.
    private(set) var isCircular = false
    /// The origin of the notes that are sent now.
    private var origin = Origin(generation: 0)
    private var cycleFrame: Int64 = 0
    /// How many frames after it was sent a note may come back.
    private var window: Int64 = 0
    /// How many frames the time to come back may vary.
    private var tolerance: Int64 = 0
    /// Counts changes of the lists, so that they are copied only if they have changed.
    private var revision: UInt64 = 1

    private static var capacity: Int { 128 }

    mutating func begin(_ cycle: RtCycle, at frame: Int64, sampleRate: Double) {
        cycleFrame = frame
        window = Int64(2 * cycle.frameCount + frames(0.01, sampleRate: sampleRate))
        tolerance = Int64(frames(0.002, sampleRate: sampleRate))
    }

    /// Sets whether ports are connected in a circle.
    mutating func apply(isCircular: Bool) {
        guard isCircular != self.isCircular else { return }
        self.isCircular = isCircular
        looping = isCircular ? .max : 0
        for channel in 0..<16 { awaited[channel] = .max }
    }

    // MARK: Output

    mutating func didPress(_ place: KeyLedger.LedgerPlace, velocity: UInt8, at frame: Int64) {
        revision &+= 1
        var note = Sent()
        (note.place, note.velocity, note.frame) = (place.index, velocity, frame)
        (note.origin, note.isReturned) = (origin, false)
        sent[next] = note
        next = (next + 1) % MidiFeedbackFilter.capacity
        let channel = Int(place.channel)
        if awaited[channel] < frame - window {
            looping &= ~bit(of: place)
            awaited[channel] = .max
        }
        awaited[channel] = min(awaited[channel], frame)
    }

    mutating func didRelease(_ place: KeyLedger.LedgerPlace, at frame: Int64) {
        revision &+= 1
        releases[place.index] = frame
    }

    /// Notes that a controller, bend or pressure is sent.
    mutating func didPass(_ event: MidiEvent, isOwn: Bool, at frame: Int64) {
        revision &+= 1
        var message = Passed()
        (message.event, message.frame) = (event, frame)
        (message.isOwn, message.isReturned) = (isOwn, false)
        passed[nextPassed] = message
        nextPassed = (nextPassed + 1) % MidiFeedbackFilter.capacity
    }

    /// Notes that are sent from now on are our own, and not forwarded.
    mutating func endRelay() { origin = Origin(generation: 0) }

    // MARK: Input

    /// Whether to ignore the start of a note. If not, notes sent until ``endRelay()`` are forwarded from it.
    ///
    /// - Parameter provesLoop: Whether there is a loop if it may have come back: its key is already pressed, or bound.
    mutating func ignoresStart(
        of place: KeyLedger.LedgerPlace, velocity: UInt8, provesLoop: Bool, at frame: Int64
    ) -> Bool {
        revision &+= 1
        origin = Origin(generation: -1)
        guard let index = match(place, velocity, at: frame) else {
            // The end of an old echo is no longer expected.
            if releases[place.index] < frame - window { echoed[place.index] = false }
            return false
        }
        let note = sent[index]
        sent[index].isReturned = true
        let channel = Int(place.channel)
        if awaited[channel] <= note.frame { awaited[channel] = .max }
        let delay = frame - note.frame
        let isSteady = note.origin.delay == 0 || abs(delay - note.origin.delay) <= tolerance
        origin = Origin(generation: isSteady ? note.origin.generation + 1 : 0, delay: delay)
        if provesLoop || origin.generation >= 2 {
            looping |= bit(of: place)
            // Earlier notes need not have come back.
            awaited[channel] = .max
        }
        guard looping & bit(of: place) != 0 else { return false }
        endRelay()
        echoed[place.index] = true
        return true
    }

    /// Whether to ignore the end of a note, because its start was ignored.
    mutating func ignoresEnd(of place: KeyLedger.LedgerPlace, at frame: Int64) -> Bool {
        guard echoed[place.index] && releases[place.index] >= frame - window else {
            return false
        }
        revision &+= 1
        echoed[place.index] = false
        return true
    }

    /// Whether to ignore a controller, bend or pressure that was sent and comes back.
    mutating func ignores(_ event: MidiEvent, at frame: Int64) -> Bool {
        guard (0xa0..<0xf0).contains(event.status) else { return false }
        let isLooping = looping >> UInt16(event.status & 0xf) & 1 == 1
        for age in 0..<MidiFeedbackFilter.capacity {
            let index = (nextPassed + age) % MidiFeedbackFilter.capacity
            let message = passed[index]
            guard !message.isReturned && (message.isOwn || isLooping) && isTimely(message.frame, at: frame),
                message.event.status == event.status && message.event.first == event.first
                    && message.event.second == event.second
            else { continue }
            revision &+= 1
            passed[index].isReturned = true
            return true
        }
        return false
    }

    /// Whether a message sent at one frame may come back at another.
    private func isTimely(_ sentFrame: Int64, at frame: Int64) -> Bool {
        sentFrame < cycleFrame && sentFrame >= frame - window
    }

    /// The oldest sent note that an incoming note may echo.
    private func match(_ place: KeyLedger.LedgerPlace, _ velocity: UInt8, at frame: Int64) -> Int? {
        for age in 0..<MidiFeedbackFilter.capacity {
            let index = (next + age) % MidiFeedbackFilter.capacity
            let note = sent[index]
            guard !note.isReturned && isTimely(note.frame, at: frame) else { continue }
            if note.place == place.index && note.velocity == velocity { return index }
        }
        return nil
    }

    private func bit(of place: KeyLedger.LedgerPlace) -> UInt16 { 1 << UInt16(place.channel) }

    /// Forgets what came back, because the connections have changed.
    mutating func forget() {
        revision &+= 1
        for index in 0..<KeyLedger.LedgerPlace.count { echoed[index] = false }
        for channel in 0..<16 { awaited[channel] = .max }
        looping = isCircular ? .max : 0
    }
}

// MARK: Control memory

extension MidiFeedbackFilter {
    /// Takes the place of another, whose memory may have been copied.
    mutating func succeed(_ other: borrowing MidiFeedbackFilter) { revision = other.revision &+ 1 }

    struct Memory: BitwiseCopyable {
        var sent: InlineArray<128, Sent>
        var next: Int
        var passed: InlineArray<128, Passed>
        var nextPassed: Int
        var releases: InlineArray<2048, Int64>
        var echoed: InlineArray<2048, Bool>
        var looping: UInt16
        var awaited: InlineArray<16, Int64>
        var isCircular: Bool
        var origin: Origin
        var cycleFrame: Int64
        var window: Int64
        var tolerance: Int64
        /// The lists' revision; 0 before the first copy.
        var revision: UInt64
    }

    /// Copies what is remembered. The lists, most of all control memory, are copied only if they are newer.
    func copy(into memory: inout Memory) {
        (memory.next, memory.nextPassed, memory.looping) = (next, nextPassed, looping)
        (memory.isCircular, memory.origin) = (isCircular, origin)
        (memory.cycleFrame, memory.window, memory.tolerance) = (cycleFrame, window, tolerance)
        awaited.copy(into: &memory.awaited)
        guard memory.revision != revision else { return }
        memory.revision = revision
        sent.copy(into: &memory.sent)
        passed.copy(into: &memory.passed)
        releases.copy(into: &memory.releases)
        echoed.copy(into: &memory.echoed)
    }

    mutating func restore(_ memory: Memory) {
        (next, nextPassed, looping) = (memory.next, memory.nextPassed, memory.looping)
        (isCircular, origin) = (memory.isCircular, memory.origin)
        (cycleFrame, window, tolerance) = (memory.cycleFrame, memory.window, memory.tolerance)
        awaited.restore(memory.awaited)
        revision = memory.revision
        sent.restore(memory.sent)
        passed.restore(memory.passed)
        releases.restore(memory.releases)
        echoed.restore(memory.echoed)
    }
}
