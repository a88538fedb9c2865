/// Sends the tracks' notes to the MIDI output: each start on its frame, and for every start one end.
///
/// A note is numbered track * 12 + note. There is always room left for the ends of all keys that are down; a start for which
/// there is none waits for the next period.
@safe
struct NoteSender: ~Copyable {
    /// A start that waits.
    struct Waiting: BitwiseCopyable {
        var channel: UInt8 = 0
        var key: UInt8 = 0
        var velocity: UInt8 = 0
        var end = Int64.max
    }

    private var ledger = KeyLedger()
    /// The frame on which each note ends; never, unless it owns a key.
    private let ends = FixedArray<Int64>(count: NoteSender.slotCount) { _ in .max }
    /// The earliest of them.
    private var nextEnd = Int64.max
    private let waiting = FixedArray<Waiting>(count: NoteSender.slotCount) { _ in Waiting() }
    /// One bit for each note that waits.
    private var waits: UInt64 = 0
    private var passing = PassingMessages()
    /// Channels, one bit each, on which notes were sent.
    private(set) var usedChannels: UInt16 = 0
    /// Channels on which keys may be down that we know nothing of any more.
    private var doubtfulChannels: UInt16 = 0
    /// When each key was last pressed and let go, to know what comes back from those who repeat what they hear.
    private(set) var times = SentTimes()

    /// Valid from the beginning of a period to its end.
    private var port: MidiBuffer?
    /// The frame of the present period with which the port's time begins.
    private var firstFrame: Int64 = 0
    /// Messages that a period has room for.
    private let limit: Int

    /// Messages that had to wait for the next period, until somebody asks.
    private var delayedCount: UInt64 = 0

    private static var slotCount: Int {
        @_noLocks @_noAllocation @_transparent get { trackCount * noteCount }
    }

    /// A sender that has sent nothing.
    ///
    /// - Parameter limit: Messages that a period has room for, at least 64.
    init(limit: Int = 1024) {
        self.limit = limit
        unsafe port = nil
    }

    // MARK: Periods

    /// Begins a period, whose messages go to a port that holds none yet, with what is left over from the one before.
    @_noLocks @_noAllocation
    mutating func begin(_ port: MidiBuffer, at frame: Int64) {
        unsafe self.port = unsafe port
        firstFrame = frame
        endDoubts()
        advance(to: frame)
        sendPassing()
        sendWaiting(at: frame)
    }

    /// Ends the notes that are over by a frame. To be called with every frame on which anything else is sent.
    @_noLocks @_noAllocation
    mutating func advance(to frame: Int64) {
        while nextEnd <= frame {
            let end = nextEnd
            for note in 0..<NoteSender.slotCount where unsafe ends.elements[note] == end { stop(note, at: end) }
        }
    }

    /// Ends a period with the notes that are over before the next one's first frame.
    @_noLocks @_noAllocation
    mutating func finish(before frame: Int64) {
        advance(to: frame - 1)
        unsafe port = nil
    }

    /// How many messages had to wait since the last call.
    @_noLocks @_noAllocation
    mutating func takeDelayedCount() -> UInt64 {
        defer { delayedCount = 0 }
        return delayedCount
    }

    // MARK: Notes

    /// Starts a note, on a channel 0 to 15; one of it that sounds, and one that owns the key, ends first.
    ///
    /// - Parameter end: The frame on which it ends unless it is stopped before.
    @_noLocks @_noAllocation
    mutating func start(_ note: Int, channel: UInt8, key: UInt8, velocity: UInt8, end: Int64, at frame: Int64) {
        stop(note, at: frame)
        let place = KeyLedger.Place(channel: channel, key: key)
        if let owner = ledger.owner(of: place) { stop(owner, at: frame) }
        guard hasRoom(for: 2) else {
            unsafe waiting.elements[note] = Waiting(channel: channel, key: key, velocity: velocity, end: end)
            waits |= bit(of: note)
            delayedCount += 1
            return
        }
        send(0x90 | place.channel, place.key, velocity, at: frame)
        ledger.press(place, by: note)
        unsafe ends.elements[note] = end
        nextEnd = min(nextEnd, end)
        usedChannels |= 1 << UInt16(place.channel)
        times.didPress(place, at: frame)
    }

    /// Ends a note, if its key is down; one that still waits is not sent at all.
    @_noLocks @_noAllocation
    mutating func stop(_ note: Int, at frame: Int64) {
        waits &= ~bit(of: note)
        guard let place = ledger.place(of: note) else { return }
        send(0x80 | place.channel, place.key, 0x40, at: frame)
        ledger.release(note)
        times.didRelease(place, at: frame)
        let end = unsafe ends.elements[note]
        unsafe ends.elements[note] = .max
        if end == nextEnd { findNextEnd() }
    }

    /// Ends all notes of a track.
    @_noLocks @_noAllocation
    mutating func stop(track: Int, at frame: Int64) {
        for note in 0..<noteCount { stop(track * noteCount + note, at: frame) }
    }

    /// Ends all notes.
    @_noLocks @_noAllocation
    mutating func stopAll(at frame: Int64) {
        for note in 0..<NoteSender.slotCount { stop(note, at: frame) }
    }

    // MARK: Everything else

    /// Sends a message that comes from others on: at once, or in the next period.
    @_noLocks @_noAllocation
    mutating func pass(_ event: MidiEvent, at frame: Int64) {
        if passing.isEmpty, hasRoom(for: 1) { return send(event, at: frame) }
        passing.append(event)
        delayedCount += 1
    }

    /// Forgets what was sent, because those who heard it are gone, or have just come; these are told once to let all keys
    /// go.
    ///
    /// - Parameter channels: Channels, one bit each, on which notes were sent before this sender was made.
    @_noLocks @_noAllocation
    mutating func forget(alsoUsed channels: UInt16 = 0) {
        for note in 0..<NoteSender.slotCount {
            ledger.release(note)
            unsafe ends.elements[note] = .max
        }
        nextEnd = .max
        waits = 0
        usedChannels |= channels
        doubtfulChannels = usedChannels
    }

    /// All Notes Off.
    @_noLocks @_noAllocation
    private mutating func endDoubts() {
        for channel in 0..<16 where doubtfulChannels >> UInt16(truncatingIfNeeded: channel) & 1 == 1 {
            send(0xb0 | UInt8(truncatingIfNeeded: channel), 123, 0, at: firstFrame)
        }
        doubtfulChannels = 0
    }

    // MARK: What waits

    @_noLocks @_noAllocation
    private mutating func sendPassing() {
        while hasRoom(for: 1), let event = passing.removeFirst() { send(event, at: firstFrame) }
    }

    @_noLocks @_noAllocation
    private mutating func sendWaiting(at frame: Int64) {
        var rest = waits
        while rest != 0 {
            let note = rest.trailingZeroBitCount
            rest &= rest - 1
            waits &= ~bit(of: note)
            let start = unsafe waiting.elements[note]
            guard start.end > frame else { continue }
            self.start(
                note, channel: start.channel, key: start.key, velocity: start.velocity, end: start.end, at: frame)
        }
    }

    // MARK: The port

    /// Whether so many messages fit beside the ends of all keys that are down.
    @_noLocks @_noAllocation
    private func hasRoom(for count: Int) -> Bool {
        guard let port = unsafe port else { return false }
        return unsafe port.count + ledger.count + count <= limit
    }

    @_noLocks @_noAllocation
    private func send(_ status: UInt8, _ first: UInt8, _ second: UInt8, at frame: Int64) {
        send(MidiEvent(frame: 0, count: 3, status, first, second), at: frame)
    }

    @_noLocks @_noAllocation
    private func send(_ event: MidiEvent, at frame: Int64) {
        guard let port = unsafe port else { return }
        var event = event
        event.frame = Int32(truncatingIfNeeded: frame - firstFrame)
        unsafe port.append(event)
    }

    @_noLocks @_noAllocation
    private func bit(of note: Int) -> UInt64 { 1 << UInt64(truncatingIfNeeded: note) }

    @_noLocks @_noAllocation
    private mutating func findNextEnd() {
        nextEnd = .max
        for note in 0..<NoteSender.slotCount { unsafe nextEnd = min(nextEnd, ends.elements[note]) }
    }
}
