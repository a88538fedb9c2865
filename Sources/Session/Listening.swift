import Engine
import Music

/// When to look for notices of the audio thread, and those whose moment has not been heard yet.
///
/// The audio thread must not wake anyone, so it is polled, but only while there is something to be expected: for watchers
/// when the next step is due, and often enough in between for the meters; otherwise rarely, and when somebody asks.
struct Listening {
    /// A step that the audio thread has rendered.
    struct Step {
        var step: Int
        var songStep: Int
        var frame: Int64
        var usecs: UInt64
        var notes: InlineArray<4, UInt32>
        /// When it is heard, in the session's time.
        var heardAt = Duration.zero
    }

    /// A launch that the audio thread has carried out.
    struct Launch {
        var slot: Slot
        var number: Int64
        var frame: Int64
        var usecs: UInt64
    }

    /// What is heard at one moment.
    enum Heard {
        case step(Step)
        case launches([Launch])
    }

    /// After a command, and when a step is late: often enough for the display to follow what is heard within 16 ms.
    private static let interval: Duration = .milliseconds(8)
    /// Between steps: often enough for the meters, which take 150 ms from row to row, and for a step that comes sooner than
    /// was foretold.
    private static let longestInterval: Duration = .milliseconds(32)
    /// Often enough for nothing to be lost while nobody watches.
    private static let unwatchedInterval: Duration = .milliseconds(250)
    /// A round that is made for other reasons looks if it would be time this soon: that saves a round.
    private static let eagerness: Duration = .milliseconds(12)
    /// How much sooner than it is heard a step may be shown: two clocks are never quite alike, and a round is saved.
    private static let headStart: Duration = .milliseconds(1)
    /// How long after a command its notices, and the sound of an audition, are waited for.
    private static let patience: Duration = .milliseconds(500)
    /// A step is never heard later than this after it was rendered; a driver whose clock says so is not believed.
    private static let farthest: Duration = .seconds(1)

    /// How the driver's clock relates to the session's.
    var timing = AudioTiming()
    /// When to look next, nil while nothing is to be expected.
    private(set) var nextPoll: Duration?
    private var expectedUntil: Duration = .zero
    /// When the step after the last one is heard, if the tempo stays as it is; nil while none is foretold.
    private var nextStep: Duration?
    private var unheard: [(heardAt: Duration, what: Heard)] = []

    /// Something was sent to the engine that it will tell about.
    mutating func expectNotices(from now: Duration) {
        expectedUntil = now + Self.patience
        nextPoll = min(nextPoll ?? now + Self.interval, now + Self.interval)
    }

    /// The steps that were rendered will not be heard; launches stand, and count at once.
    mutating func forgetNotices() {
        let launches = takeLaunches()
        unheard = launches.isEmpty ? [] : [(.zero, .launches(launches))]
        nextStep = nil
    }

    /// Whether there are launches that have not been heard yet.
    var hasLaunches: Bool { unheard.contains { $0.what.launches != nil } }

    /// Takes the launches that have not been heard yet.
    mutating func takeLaunches() -> [Launch] {
        defer { unheard.removeAll { $0.what.launches != nil } }
        return unheard.flatMap { $0.what.launches ?? [] }
    }

    /// Foretells when the next step is heard.
    mutating func expectStep(at time: Duration) {
        nextStep = time
    }

    /// Whether a round should look for notices.
    func isDue(at now: Duration) -> Bool {
        guard let nextPoll else { return false }
        return nextPoll <= now + (nextPoll == nextStep || nextPoll == unheard.first?.heardAt ? .zero : Self.eagerness)
    }

    /// Queues a step until its moment.
    mutating func add(_ step: Step, at now: Duration) {
        var step = step
        step.heardAt = heard(step.usecs, at: now)
        unheard.append((step.heardAt, .step(step)))
    }

    /// Queues a launch until its moment.
    mutating func add(_ launch: Launch, at now: Duration) {
        let heardAt = heard(launch.usecs, at: now)
        if let last = unheard.last, last.heardAt == heardAt, let others = last.what.launches {
            unheard[unheard.count - 1].what = .launches(others + [launch])
        } else {
            unheard.append((heardAt, .launches([launch])))
        }
    }

    /// When something that was rendered for a time of the driver's is heard.
    private func heard(_ usecs: UInt64, at now: Duration) -> Duration {
        let told = .microseconds(Int64(clamping: usecs)) + timing.offset + timing.latency
        return told - now < Self.farthest ? told : now
    }

    /// The driver's time for what is heard at a moment.
    func usecs(at now: Duration) -> UInt64 { (now - timing.offset - timing.latency).wholeMicroseconds }

    /// The oldest of the notices whose moment has come.
    mutating func nextHeard(at now: Duration) -> Heard? {
        guard let first = unheard.first, first.heardAt <= now + Self.headStart else { return nil }
        return unheard.removeFirst().what
    }

    /// Decides when to look again.
    ///
    /// - Parameters:
    ///   - isBusy: Whether the clock runs or a meter falls.
    ///   - isWatched: Whether what is heard has to be shown in time.
    ///   - isImpatient: Whether the engine has to be looked at often: for traces, or until it can take what it has to be
    ///     sent.
    ///   - limit: For how long at most nobody needs to look while nobody watches; nil for as long as nothing gets lost.
    mutating func schedule(
        isBusy: Bool, isWatched: Bool, isImpatient: Bool, unwatchedFor limit: Duration?, at now: Duration
    ) {
        guard isBusy || now < expectedUntil || !unheard.isEmpty else {
            nextPoll = nil
            return
        }
        guard isWatched || isImpatient else {
            nextPoll = now + min(Self.unwatchedInterval, limit ?? Self.unwatchedInterval)
            return
        }
        let isClose = isImpatient || now < expectedUntil || isStepLate(at: now)
        var next = now + (isClose ? Self.interval : Self.longestInterval)
        if let first = unheard.first { next = min(next, first.heardAt) }
        if let nextStep, nextStep > now { next = min(next, nextStep) }
        nextPoll = next
    }

    /// Whether a step that was foretold is not there; one that is very late is not waited for, as the tempo has changed.
    private func isStepLate(at now: Duration) -> Bool {
        guard let nextStep else { return false }
        return nextStep <= now && now < nextStep + Self.patience
    }

    /// Looks with the next round, if anything is to be expected: somebody has come to watch, or asks.
    mutating func hurry() {
        if nextPoll != nil { nextPoll = .zero }
    }
}

extension Listening.Heard {
    fileprivate var launches: [Listening.Launch]? { if case .launches(let launches) = self { launches } else { nil } }
}
