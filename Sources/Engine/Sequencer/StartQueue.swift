import Music

/// A start of a note, and where in the song it lies. A ratcheted note has several, of which each leads to the next.
struct PlannedStart: BitwiseCopyable {
    var track = 0
    /// 0 to 11.
    var number = 0
    var note = Note()
    /// The step of the track on which the note stands.
    var step = 0
    /// The step of the song whose turn it is.
    var songStep: Int64 = 0
    var ratchet = Ratchet()
    /// The step of the song in which it lies.
    var placeStep: Int64 = 0
    /// The part of that step that is over when it starts, 0 to less than 1.
    var part = 0.0

    /// Whether it comes before another; in one place the earlier step's comes first.
    func precedes(_ other: PlannedStart) -> Bool {
        if placeStep != other.placeStep { return placeStep < other.placeStep }
        return part < other.part || part == other.part && songStep < other.songStep
    }

    /// Whether it lies elsewhere than on its step.
    var isMoved: Bool { part != 0 || placeStep != songStep }

    /// Moves it to where nudge and ratchet say.
    mutating func place() {
        let way = Double(note[.nudge]) / 100 + Double(ratchet.index) / Double(ratchet.count)
        let whole = floor(way)
        (placeStep, part) = (songStep + whole, way - Double(whole))
    }

    /// Moves it to the beginning of its step: of the starts that lie before, only the last one sounds.
    mutating func placeOnStep() {
        while let next, next.placeStep < songStep || next.placeStep == songStep && next.part == 0 { self = next }
        (placeStep, part) = (songStep, 0)
    }

    /// The note's next start, nil after the last one.
    var next: PlannedStart? {
        guard ratchet.index + 1 < ratchet.count else { return nil }
        var next = self
        next.ratchet.index += 1
        next.place()
        return next
    }
}

/// What is still to start, in order; what starts together in the order in which it was planned.
struct StartQueue: ~Copyable {
    /// One start of every note for each of the steps that have starts within one: late ones of the step before, its own, and
    /// early ones of the step after.
    static var capacity: Int { 3 * trackCount * noteCount }

    private let starts = FixedArray(count: 2 * StartQueue.capacity) { _ in PlannedStart() }
    /// The places of the next one, and after the last one.
    private var (next, end) = (0, 0)

    /// How many wait.
    var count: Int { end - next }

    /// The next start, nil when there is none.
    var first: PlannedStart? { self[0] }

    /// A start in order, nil behind the last one.
    subscript(index: Int) -> PlannedStart? { index < count ? unsafe starts.elements[next + index] : nil }

    /// Plans a start, for which there is room.
    mutating func add(_ start: PlannedStart) {
        guard count < StartQueue.capacity else { return }
        if end == 2 * StartQueue.capacity || next == end { remove { _ in false } }
        var place = end
        while place > next, unsafe start.precedes(starts.elements[place - 1]) {
            unsafe starts.elements[place] = starts.elements[place - 1]
            place -= 1
        }
        unsafe starts.elements[place] = start
        end += 1
    }

    /// Takes the first start away.
    mutating func removeFirst() { next += 1 }

    /// Lets some start no more.
    mutating func remove(where isDropped: (PlannedStart) -> Bool) {
        var place = 0
        for index in next..<end where unsafe !isDropped(starts.elements[index]) {
            unsafe starts.elements[place] = starts.elements[index]
            place += 1
        }
        (next, end) = (0, place)
    }

    /// Nothing starts any more.
    mutating func removeAll() { (next, end) = (0, 0) }
}
