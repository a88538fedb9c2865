/// A note's start at the MIDI output.
struct KeyStart: BitwiseCopyable {
    /// The note, track * 12 + note; -1 for a start that is not wanted any more.
    var note = -1
    /// 0 to 15.
    var channel: UInt8 = 0
    var key: UInt8 = 0
    var velocity: UInt8 = 0
    /// The frame on which it ends unless it is stopped before.
    var end = Int64.max
}

/// Starts that leave some frames after their notes began, in order.
struct DelayedStarts: ~Copyable {
    struct Delayed: BitwiseCopyable {
        var start = KeyStart()
        var frame: Int64 = 0

        init() {}
    }

    private let starts = FixedArray<Delayed>(count: DelayedStarts.capacity) { _ in Delayed() }
    private var first = 0
    private(set) var count = 0

    private static var capacity: Int { 1024 }

    var isFull: Bool { count == DelayedStarts.capacity }

    /// The frame on which the next one leaves; never, if there is none.
    var nextFrame: Int64 { unsafe count > 0 ? starts.elements[first].frame : .max }

    /// Adds a start that leaves with a frame, or with the last one before it if that is later; there must be room.
    mutating func append(_ start: KeyStart, at frame: Int64) {
        var delayed = Delayed()
        delayed.start = start
        let last = unsafe count > 0 ? starts.elements[(first + count - 1) % DelayedStarts.capacity].frame : .min
        delayed.frame = max(frame, last)
        unsafe starts.elements[(first + count) % DelayedStarts.capacity] = delayed
        count += 1
    }

    /// The next start, of which there must be one.
    mutating func removeFirst() -> KeyStart {
        defer {
            first = (first + 1) % DelayedStarts.capacity
            count -= 1
        }
        return unsafe starts.elements[first].start
    }

    /// Lets a note not start any more.
    mutating func drop(_ note: Int) {
        for index in 0..<count {
            let place = (first + index) % DelayedStarts.capacity
            if unsafe starts.elements[place].start.note == note { unsafe starts.elements[place].start.note = -1 }
        }
    }

    /// Forgets all.
    mutating func removeAll() { count = 0 }
}
