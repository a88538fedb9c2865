import Music

/// A start of a note, and its place in the song. A ratcheted note has several, each of which leads to the next.
struct PlannedStart: BitwiseCopyable {
    var track = 0
    /// 0 to 11.
    var number = 0
    var note = Note()
    /// The step of the slot on which the note stands.
    var step = 0
    /// The track's step that the note belongs to, counted from the song's start.
    var count: Int64 = 0
    var ratchet = Ratchet()
    var place = SongPlace(songStep: 0)
    /// Steps of the track that start after the note's own and before it.
    var stepsLate = 0

    /// Whether it comes before another; at the same place, the earlier step's comes first.
    func precedes(_ other: PlannedStart) -> Bool {
        if place.precedes(other.place) { return true }
        return !other.place.precedes(place) && count < other.count
    }

    /// Whether it comes before the beginning of its step.
    var isEarly: Bool { stepsLate < 0 }

    /// Whether nudge or ratchet moves it off its step.
    var isMoved: Bool { note[.nudge] != 0 || ratchet.index > 0 }

    /// Moves it to where nudge and ratchet put it.
    mutating func place(in time: TrackTime) {
        let whole = 100 * Int64(ratchet.count)
        let parts = Int64(note[.nudge]) * Int64(ratchet.count) + 100 * Int64(ratchet.index)
        place = time.place(of: count, moved: parts, of: whole)
        stepsLate = parts < 0 ? -1 : Int(parts / whole)
    }

    /// Moves it to the beginning of its step; of several starts before that, only the last one sounds.
    mutating func placeOnStep(in time: TrackTime) {
        let home = time.place(of: count)
        while let next = next(in: time), !home.precedes(next.place) { self = next }
        (place, stepsLate) = (home, 0)
    }

    /// The note's next start, nil after the last one.
    func next(in time: TrackTime) -> PlannedStart? {
        guard ratchet.index + 1 < ratchet.count else { return nil }
        var next = self
        next.ratchet.index += 1
        next.place(in: time)
        return next
    }
}

extension TrackStepNotice {
    /// An early note, at the time of its start.
    init(_ start: PlannedStart, at time: DriverTime) {
        var notes = StartedNotes()
        notes.insert(start.number, isAccent: start.note.isAccent)
        self.init(
            track: UInt8(truncatingIfNeeded: start.track), step: UInt8(truncatingIfNeeded: start.step),
            part: start.place.part, frame: time.frame, usecs: time.usecs, notes: notes)
    }
}

/// The planned starts, in order of place and then of planning, and the notes that have begun.
struct StartQueue: ~Copyable {
    /// A start of every note for three steps: late ones of the step before, the step's own, and early ones of the step
    /// after.
    static var capacity: Int { 3 * trackCount * noteCount }

    private let starts = FixedArray(count: 2 * StartQueue.capacity) { _ in PlannedStart() }
    /// The indices of the next start, and after the last one.
    private var (next, end) = (0, 0)

    /// The track's step, counted from the song's start, in which each note last began to play.
    private let begun = FixedArray(count: trackCount * noteCount) { _ in Int64.min }

    /// How many starts are planned.
    var count: Int { end - next }

    /// The next start, nil when there is none.
    var first: PlannedStart? { count > 0 ? starts[next] : nil }

    /// The place of the same note's first planned start in a later step; nil if there is none.
    func place(after start: PlannedStart) -> SongPlace? {
        for index in next..<end
        where starts[index].number == start.number && starts[index].track == start.track
            && starts[index].count > start.count
        {
            return starts[index].place
        }
        return nil
    }

    /// Plans a start, if there is room.
    mutating func add(_ start: PlannedStart) {
        guard count < StartQueue.capacity else { return }
        if end == 2 * StartQueue.capacity || next == end { remove { _ in false } }
        var place = end
        while place > next, start.precedes(starts[place - 1]) {
            starts[place] = starts[place - 1]
            place -= 1
        }
        starts[place] = start
        end += 1
    }

    mutating func removeFirst() { next += 1 }

    /// Whether a note has begun to play in a track's step (counted from the song's start) or in a later one.
    func hasBegun(_ track: Int, _ note: Int, at count: Int64) -> Bool {
        begun[track * noteCount + note] >= count
    }

    /// Records that a note begins to play.
    mutating func begin(_ start: PlannedStart) {
        begun[start.track * noteCount + start.number] = start.count
    }

    /// Removes the starts of a track's step whose notes have not begun to play.
    mutating func removeUnbegun(of track: Int, at count: Int64) {
        let begun = unsafe begun.elements
        remove { start in
            guard start.track == track && start.count == count else { return false }
            return unsafe begun[track * noteCount + start.number] < count
        }
    }

    /// Drops the planned starts of a track, or of one of its notes, as if they had begun.
    mutating func drop(of track: Int, note: Int? = nil) {
        let begun = unsafe begun.elements
        remove { start in
            guard start.track == track, note == nil || start.number == note else { return false }
            let index = track * noteCount + start.number
            unsafe begun[index] = max(begun[index], start.count)
            return true
        }
    }

    /// Forgets a track's planned starts, and which of its notes have begun.
    mutating func forget(_ track: Int) {
        remove { $0.track == track }
        for note in 0..<noteCount { begun[track * noteCount + note] = .min }
    }

    /// Forgets all planned starts, and which notes have begun.
    mutating func forgetAll() {
        removeAll()
        for index in 0..<trackCount * noteCount { begun[index] = .min }
    }

    /// Drops all planned starts.
    mutating func removeAll() { (next, end) = (0, 0) }

    private mutating func remove(where isDropped: (PlannedStart) -> Bool) {
        var place = 0
        for index in next..<end where !isDropped(starts[index]) {
            starts[place] = starts[index]
            place += 1
        }
        (next, end) = (0, place)
    }
}

extension StartQueue {
    /// Which notes have begun; while everything is silent, no starts are planned.
    typealias Memory = PerVoice<Int64>

    func copy(into memory: inout Memory) { begun.copy(into: &memory) }

    mutating func restore(_ memory: Memory) {
        removeAll()
        begun.restore(memory)
    }
}
