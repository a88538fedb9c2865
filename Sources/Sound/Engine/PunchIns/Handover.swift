/// What an effect plays, and what it played before, which fades while the newer one fades in. If yet another comes in this
/// time, it waits until then.
struct Handover<Value: BitwiseCopyable>: BitwiseCopyable {
    private(set) var current: Value
    private(set) var previous: Value
    private var waiting: Value?
    /// How much of ``current`` is heard; the rest is ``previous``.
    private var share = GainRamp(1)

    init(_ value: Value) { (current, previous) = (value, value) }

    /// The one that came last.
    var newest: Value { waiting ?? current }

    var isFading: Bool { share.isMoving }

    /// Begins with a value, at once.
    mutating func begin(with value: Value) { self = Handover(value) }

    /// Lets a value follow as soon as possible.
    mutating func follow(with value: Value) { waiting = value }

    /// Changes the newest value, which goes on playing.
    mutating func replace(with value: Value) {
        if waiting == nil { current = value } else { waiting = value }
    }

    /// Changes the current value, which goes on playing.
    mutating func update(current value: Value) { current = value }

    /// Goes on to a value that waits, unless the one before still fades.
    ///
    /// - Returns: Whether it did.
    mutating func settle(fadeFrames: Int) -> Bool {
        guard let value = waiting, !share.isMoving else { return false }
        (previous, current, waiting) = (current, value, nil)
        share = GainRamp(0)
        share.move(to: 1, frames: fadeFrames)
        return true
    }

    /// Frames until something may change, at most `count`.
    func quietFrames(atMost count: Int) -> Int { min(count, share.framesLeft ?? count) }

    /// Lets what ``previous`` plays fade into what ``current`` plays; both have room for three more frames.
    func fade(_ old: UnsafeMutablePointer<Float>, into new: UnsafeMutablePointer<Float>, count: Int) {
        var done = 0
        while done < count {
            let share = share.values(offset: done)
            let (before, now) = unsafe (Lanes(old + done, count: laneCount), Lanes(new + done, count: laneCount))
            unsafe (now * share + before * (1 - share)).store(in: new + done, count: laneCount)
            done += laneCount
        }
    }

    mutating func advance(_ count: Int) { share.advance(count) }
}
