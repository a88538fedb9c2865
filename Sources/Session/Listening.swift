/// When to look for notices of the audio thread, and those whose moment has not been heard yet.
///
/// The audio thread must not wake anyone, so it is polled, but only while there is something to be expected.
struct Listening {
    /// A step that the audio thread has rendered.
    struct Step {
        var step: Int
        var frame: Int64
        var usecs: UInt64
        var notes: InlineArray<4, UInt32>
        /// When it is heard, in the session's time.
        var heardAt: Duration
    }

    /// Often enough for the display to follow what is heard within 16 ms.
    private static let interval: Duration = .milliseconds(8)
    /// Often enough for nothing to be lost while nobody is there to see it.
    private static let unwatchedInterval: Duration = .milliseconds(250)
    /// How long after a command its notices, and the sound of an audition, are waited for.
    private static let patience: Duration = .milliseconds(500)
    /// A step is never heard later than this after it was rendered; a driver whose clock says so is not believed.
    private static let farthest: Duration = .seconds(1)

    /// How the driver's clock relates to the session's.
    var timing = AudioTiming()
    /// When to look next, nil while nothing is to be expected.
    private(set) var nextPoll: Duration?
    private var expectedUntil: Duration = .zero
    private var unheard: [Step] = []

    /// Something was sent to the engine that it will tell about.
    mutating func expectNotices(from now: Duration) {
        expectedUntil = now + Self.patience
        nextPoll = min(nextPoll ?? now + Self.interval, now + Self.interval)
    }

    mutating func forgetNotices() {
        unheard = []
    }

    /// Queues a step until its moment.
    mutating func add(step: Int32, frame: Int64, usecs: UInt64, notes: InlineArray<4, UInt32>, at now: Duration) {
        let told = .microseconds(Int64(clamping: usecs)) + timing.offset + timing.latency
        let heardAt = told - now < Self.farthest ? told : now
        unheard.append(
            Step(step: Int(step), frame: frame, usecs: usecs, notes: notes, heardAt: heardAt))
    }

    /// The oldest step whose moment has come.
    mutating func nextHeard(at now: Duration) -> Step? {
        guard let first = unheard.first, first.heardAt <= now else { return nil }
        return unheard.removeFirst()
    }

    /// Decides when to look again.
    ///
    /// - Parameters:
    ///   - isBusy: Whether the clock runs or a meter falls.
    ///   - isWatched: Whether what is heard has to be shown in time.
    mutating func schedule(isBusy: Bool, isWatched: Bool, at now: Duration) {
        guard isBusy || now < expectedUntil || !unheard.isEmpty else {
            nextPoll = nil
            return
        }
        nextPoll =
            isWatched
            ? min(now + Self.interval, unheard.first?.heardAt ?? .seconds(Int64.max)) : now + Self.unwatchedInterval
    }

    /// Looks with the next round, if anything is to be expected: somebody has come to watch.
    mutating func hurry() {
        if nextPoll != nil { nextPoll = .zero }
    }
}
