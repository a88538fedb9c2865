import Music

/// Sends the tracks' notes to the MIDI output: each start on its frame, and one end for every start.
///
/// A note is numbered track * 12 + note. Room is always reserved for the ends of all keys that are down; a start
/// without room waits for the next period.
@safe
struct NoteSender: ~Copyable {
    private var ledger = KeyLedger()
    /// The frame on which each note ends; `max` unless it owns a key.
    private let ends = FixedArray<Int64>(count: NoteSender.slotCount) { _ in .max }
    /// The earliest of these frames.
    private var nextEnd = Int64.max
    /// Starts for which there was no room.
    private let waiting = FixedArray<KeyStart>(count: NoteSender.slotCount) { _ in KeyStart() }
    /// One bit for each note that waits.
    private var waits: UInt64 = 0
    /// Starts that are sent later than their notes begin.
    private var delayed = Queue(capacityBits: 10, KeyStart())
    /// How many frames starts are delayed.
    private(set) var delay: Int64 = 0
    private var passing = Queue(capacityBits: 8, MidiEvent(frame: 0, 0))
    /// Channels, one bit each, on which notes were sent.
    private(set) var usedChannels: UInt16 = 0
    /// Channels on which keys may be down that are no longer in the ledger, and those that were in it.
    private var doubtfulChannels: UInt16 = 0
    private var doubtfulKeys = KeySet()
    /// The keys that were down when the driver was lost, until the receivers are connected again.
    private var lostKeys = KeySet()
    var echoes = MidiFeedbackFilter()

    /// Valid from the beginning of a period to its end.
    private var port: MidiBuffer?
    /// The current period's first frame, from which the port counts.
    private var firstFrame: Int64 = 0
    /// Messages that a period has room for.
    private let limit: Int

    /// Messages that had to wait for the next period, since they were last reported.
    private var delayedCount: UInt64 = 0

    private static var slotCount: Int { trackCount * noteCount }

    /// A sender that has sent nothing.
    ///
    /// - Parameter limit: Messages that a period has room for, at least 64.
    init(limit: Int = 1024) {
        self.limit = limit
        unsafe port = nil
    }

    // MARK: Periods

    /// Begins a period, whose messages go to an empty port, with the messages left over from the one before.
    ///
    /// - Parameter delay: How many frames starts are delayed, except for forwarded ones.
    mutating func begin(_ port: MidiBuffer, at frame: Int64, delay: Int64 = 0) {
        unsafe self.port = unsafe port
        firstFrame = frame
        self.delay = delay
        endDoubts()
        advance(to: frame)
        sendPassing()
        sendWaiting(at: frame)
    }

    /// Sends the ends and delayed starts that are due by a frame. Call this with every frame on which anything else is
    /// sent.
    mutating func advance(to frame: Int64) {
        while min(nextEnd, nextStart) <= frame {
            // Events that are overdue, because a period was lost, happen now.
            let (end, now) = (nextEnd, max(min(nextEnd, nextStart), firstFrame))
            if end > nextStart {
                if let start = delayed.removeFirst(), start.note >= 0, start.end > now { press(start, at: now) }
            } else {
                for note in 0..<NoteSender.slotCount where ends[note] == end { letGo(note, at: now) }
            }
        }
    }

    /// Ends a period, after ending the notes that are over before the next one's first frame.
    mutating func finish(before frame: Int64) {
        advance(to: frame - 1)
        unsafe port = nil
    }

    /// Whether there is nothing to send until something new arrives.
    var isIdle: Bool { nextEnd == .max && delayed.isEmpty && passing.isEmpty && waits == 0 }

    /// How many messages had to wait since the last call.
    mutating func fetchDelayedCount() -> UInt64 {
        defer { delayedCount = 0 }
        return delayedCount
    }

    // MARK: Notes

    /// Starts a note, on a channel 0 to 15; if the note already sounds, or another owns the key, that ends first.
    ///
    /// - Parameters:
    ///   - end: The frame on which it ends unless it is stopped before.
    ///   - isAtOnce: Whether it leaves now, instead of the note's delayed start.
    mutating func start(
        _ note: Int, channel: UInt8, key: UInt8, velocity: UInt8, end: Int64, isAtOnce: Bool = false, at frame: Int64
    ) {
        var start = KeyStart()
        (start.note, start.channel, start.key, start.velocity, start.end) = (note, channel, key, velocity, end)
        if isAtOnce { dropStart(of: note) }
        guard !isAtOnce && (delay > 0 || !delayed.isEmpty) && !delayed.isFull else { return press(start, at: frame) }
        // Behind those that were delayed by more; its length stays.
        start.frame = max(frame + delay, delayed.last?.frame ?? .min)
        if end < .max { start.end += start.frame - frame }
        delayed.append(start)
    }

    /// The frame on which the next of the delayed starts leaves.
    private var nextStart: Int64 { delayed.first?.frame ?? .max }

    /// Cancels the delayed start of a note.
    private mutating func dropStart(of note: Int) {
        delayed.update { if $0.note == note { $0.note = -1 } }
    }

    private mutating func press(_ start: KeyStart, at frame: Int64) {
        letGo(start.note, at: frame)
        let place = KeyLedger.LedgerPlace(channel: start.channel, key: start.key)
        if let owner = ledger.owner(of: place) { letGo(owner, at: frame) }
        guard hasRoom(for: 2) else {
            waiting[start.note] = start
            waits |= bit(of: start.note)
            delayedCount += 1
            return
        }
        send(0x90 | place.channel, place.key, start.velocity, at: frame)
        ledger.press(place, by: start.note)
        ends[start.note] = start.end
        nextEnd = min(nextEnd, start.end)
        usedChannels |= 1 << UInt16(place.channel)
        echoes.didPress(place, velocity: start.velocity, at: frame)
    }

    /// Ends a note, if its key is down; a start that is still delayed is not sent at all.
    mutating func stop(_ note: Int, at frame: Int64) {
        dropStart(of: note)
        letGo(note, at: frame)
    }

    private mutating func letGo(_ note: Int, at frame: Int64) {
        waits &= ~bit(of: note)
        guard let place = ledger.place(of: note) else { return }
        send(0x80 | place.channel, place.key, 0x40, at: frame)
        ledger.release(note)
        echoes.didRelease(place, at: frame)
        let end = ends[note]
        ends[note] = .max
        if end == nextEnd { findNextEnd() }
    }

    mutating func stop(track: Int, at frame: Int64) {
        for note in 0..<noteCount { stop(track * noteCount + note, at: frame) }
    }

    /// Ends all notes.
    mutating func stopAll(at frame: Int64) {
        delayed.removeAll()
        for note in 0..<NoteSender.slotCount { letGo(note, at: frame) }
    }

    // MARK: Other messages

    /// Sends a message other than a note, ours or the input's, at once or in the next period.
    mutating func pass(_ event: MidiEvent, isOwn: Bool = false, at frame: Int64) {
        echoes.didPass(event, isOwn: isOwn, at: frame)
        if passing.isEmpty, hasRoom(for: 1) { return send(event, at: frame) }
        // The oldest message is dropped when there is no room.
        if passing.isFull { _ = passing.removeFirst() }
        passing.append(event)
        delayedCount += 1
    }

    /// Takes the place of a sender whose driver is gone. Its receivers may have kept what it sent: once they are connected,
    /// they get the ends of its keys, because not every synthesizer obeys All Notes Off.
    mutating func replace(_ other: borrowing NoteSender) {
        forget(alsoUsed: other.usedChannels)
        lostKeys = other.openKeys
        echoes.succeed(other.echoes)
        doubtfulKeys = lostKeys
    }

    /// The keys that may be down at the receivers.
    private var openKeys: KeySet {
        var keys = lostKeys
        keys.insert(doubtfulKeys)
        for note in 0..<NoteSender.slotCount {
            if let place = ledger.place(of: note) { keys.insert(place) }
        }
        return keys
    }

    /// Forgets what was sent, because the connections have changed; the receivers are sent the ends of the keys that were
    /// down, and All Notes Off.
    ///
    /// - Parameter channels: Channels, one bit each, on which notes were sent before this sender was made.
    mutating func forget(alsoUsed channels: UInt16 = 0) {
        doubtfulKeys = openKeys
        lostKeys = KeySet()
        for note in 0..<NoteSender.slotCount {
            ledger.release(note)
            ends[note] = .max
        }
        nextEnd = .max
        waits = 0
        delayed.removeAll()
        usedChannels |= channels
        doubtfulChannels = usedChannels
        echoes.forget()
    }

    /// Ends the keys that may be down, and then sends All Notes Off.
    private mutating func endDoubts() {
        if doubtfulChannels == 0 { return }
        while let place = doubtfulKeys.removeFirst() { send(0x80 | place.channel, place.key, 0x40, at: firstFrame) }
        for channel in 0..<16 where doubtfulChannels >> UInt16(truncatingIfNeeded: channel) & 1 == 1 {
            send(0xb0 | UInt8(truncatingIfNeeded: channel), 123, 0, at: firstFrame)
        }
        doubtfulChannels = 0
    }

    // MARK: Waiting messages

    private mutating func sendPassing() {
        while hasRoom(for: 1), let event = passing.removeFirst() { send(event, at: firstFrame) }
    }

    private mutating func sendWaiting(at frame: Int64) {
        var rest = waits
        while rest != 0 {
            let note = rest.trailingZeroBitCount
            rest &= rest - 1
            waits &= ~bit(of: note)
            let start = waiting[note]
            guard start.end > frame else { continue }
            press(start, at: frame)
        }
    }

    // MARK: The port

    /// Whether this many messages fit, in addition to the ends of all keys that are down.
    private func hasRoom(for count: Int) -> Bool {
        guard let port = unsafe port else { return false }
        return unsafe port.count + ledger.count + count <= limit
    }

    private func send(_ status: UInt8, _ first: UInt8, _ second: UInt8, at frame: Int64) {
        send(MidiEvent(frame: 0, count: 3, status, first, second), at: frame)
    }

    private func send(_ event: MidiEvent, at frame: Int64) {
        guard let port = unsafe port else { return }
        var event = event
        event.frame = Int32(truncatingIfNeeded: frame - firstFrame)
        unsafe port.append(event)
    }

    private func bit(of note: Int) -> UInt64 { 1 << UInt64(truncatingIfNeeded: note) }

    private mutating func findNextEnd() {
        nextEnd = .max
        for note in 0..<NoteSender.slotCount { nextEnd = min(nextEnd, ends[note]) }
    }
}

/// Where a track's notes go: to its voices, to the MIDI output or to both, and how they are sent there.
struct NoteRoute: BitwiseCopyable {
    /// Whether the track's own voices sound.
    var playsVoices = true
    /// Whether the input's bend, pressure and controllers are passed on.
    var passesInput = false
    /// Whether notes are sent, too.
    var sendsKeys = false
    /// 0 to 15.
    var channel: UInt8 = 0
    private var velocityNormal: UInt8 = 64
    private var velocityAccent: UInt8 = 96

    /// To the track's voices.
    init() {}

    /// A track's route.
    ///
    /// - Parameter isSilent: Whether the track is muted, or another soloed, so that no notes are sent.
    init(_ parameters: TrackParameters, isSilent: Bool) {
        let target = NoteDestination(rawValue: Int(parameters[.target])) ?? .voices
        switch target {
        case .voices: (playsVoices, passesInput) = (true, false)
        case .midi: (playsVoices, passesInput) = (false, true)
        case .both: (playsVoices, passesInput) = (true, true)
        }
        sendsKeys = passesInput && !isSilent
        channel = UInt8(max(0, min(15, parameters[.channel] - 1)))
        velocityNormal = UInt8(max(1, min(127, parameters[.velocityNormal])))
        velocityAccent = UInt8(max(1, min(127, parameters[.velocityAccent])))
    }

    /// The velocity of a note by its level: a sustained one is as loud as an accent, as with our own voices.
    func velocity(of stroke: Stroke) -> UInt8 {
        stroke.velocity(stroke.level < 1 ? velocityNormal : velocityAccent)
    }
}

/// Where a track's notes go; the raw values are the indices of the choices of `Parameter.target`.
enum NoteDestination: Int, CaseIterable {
    case voices
    case midi
    case both
}

/// A note's start at the MIDI output.
struct KeyStart: BitwiseCopyable {
    /// The note, track * 12 + note; -1 for a start that was cancelled.
    var note = -1
    /// 0 to 15.
    var channel: UInt8 = 0
    var key: UInt8 = 0
    var velocity: UInt8 = 0
    /// The frame on which it ends unless it is stopped before.
    var end = Int64.max
    /// The frame on which it leaves, if it is delayed.
    var frame: Int64 = 0
}

// MARK: Control memory

extension NoteSender {
    /// What is remembered while everything is silent: then no key is down, and no message waits.
    struct Memory: BitwiseCopyable {
        var delay: Int64
        var usedChannels: UInt16
        var doubtfulChannels: UInt16
        var doubtfulKeys: KeySet
        var lostKeys: KeySet
        var echoes: MidiFeedbackFilter.Memory
    }

    /// Whether no key is down, and nothing waits to be sent.
    var isEmpty: Bool { isIdle && ledger.count == 0 }

    func copy(into memory: inout Memory) {
        (memory.delay, memory.usedChannels) = (delay, usedChannels)
        memory.doubtfulChannels = doubtfulChannels
        memory.doubtfulKeys = doubtfulKeys
        memory.lostKeys = lostKeys
        echoes.copy(into: &memory.echoes)
    }

    mutating func restore(_ memory: Memory) {
        for note in 0..<NoteSender.slotCount {
            ledger.release(note)
            ends[note] = .max
        }
        (nextEnd, waits) = (.max, 0)
        delayed.removeAll()
        passing.removeAll()
        (delay, usedChannels) = (memory.delay, memory.usedChannels)
        doubtfulChannels = memory.doubtfulChannels
        doubtfulKeys = memory.doubtfulKeys
        lostKeys = memory.lostKeys
        echoes.restore(memory.echoes)
    }
}
