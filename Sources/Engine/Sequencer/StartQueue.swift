import Music

/// A note that a step of the song has, and when within the step it starts.
struct PlannedStart: BitwiseCopyable {
    var track = 0
    /// 0 to 11.
    var number = 0
    var note = Note()
    /// The step of the track on which it stands.
    var step = 0
    var songStep: Int64 = 0
    /// The part of the step that is over when it starts, 0 to less than 1.
    var part = 0.0

    /// Whether it comes before another.
    func precedes(_ other: PlannedStart) -> Bool {
        songStep < other.songStep || songStep == other.songStep && part < other.part
    }
}

/// What is still to start of the song's present step, in order; what starts together in the order in which it was planned.
struct StartQueue: ~Copyable {
    /// Eight starts of every note.
    static var capacity: Int { 8 * trackCount * noteCount }

    private let starts = FixedArray(count: StartQueue.capacity) { _ in PlannedStart() }
    /// The places of the next one, and after the last one.
    private var (next, end) = (0, 0)

    /// The next start, nil when there is none.
    var first: PlannedStart? { next < end ? unsafe starts.elements[next] : nil }

    /// Plans a start, for which there is room in the step.
    mutating func add(_ start: PlannedStart) {
        if next == end { removeAll() }
        guard end < StartQueue.capacity else { return }
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

    /// Nothing starts any more.
    mutating func removeAll() { (next, end) = (0, 0) }
}
