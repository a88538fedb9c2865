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

    /// How much of ``current`` is heard, in four frames.
    @_transparent
    func values(offset: Int) -> Lanes { share.values(offset: offset) }

    mutating func advance(_ count: Int) { share.advance(count) }
}
