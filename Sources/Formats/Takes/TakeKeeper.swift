import Engine
import Glibc
import Synchronization
import SystemSupport

/// Records what an engine played into a ``TakeStore``: takes its log out of the callback's ring, and puts what the log refers to
/// before it.
///
/// Pass on everything that is published, right after publishing it, from one thread, which also says when it has polled the engine.
/// The rest happens on the store's thread, which sleeps while nothing is recorded.
public final class TakeKeeper: PublicationListener {
    /// A score's source and its pattern's name.
    private struct PublishedScore {
        var source: ScoreSource
        var name: String
    }

    /// What was published and the log may refer to.
    private struct Published {
        var scores = PublishedValues<UInt, PublishedScore>(after: 0)
        var timelines = PublishedValues<UInt, TimelineNews>(after: 0)
        var kits = PublishedValues<Int, KitFingerprint?>(after: 0)

        var count: Int { scores.count + timelines.count + kits.count }

        mutating func forget(before numbers: TakeNumbers, at now: SuspendingClock.Instant) {
            scores.forget(before: numbers.score, at: now)
            timelines.forget(before: numbers.timeline, at: now)
            kits.forget(before: numbers.kit, at: now)
        }
    }

    /// What the store's thread has in hand.
    private struct Current {
        var scores = ScoreEncoder()
        /// A record that refers to something that was not passed on yet.
        var waiting: TakeRecord?
        /// Whether a take is under way, and from which of its frames on something is missing.
        var isRecording = false
        var inexactFrom: Int64?
        /// How many takes could not begin.
        var missedCount: UInt64 = 0

        mutating func isInexact(from frame: Int) { inexactFrom = inexactFrom ?? Int64(frame) }
    }

    /// Whether the store's thread hangs.
    private struct Stall {
        /// When something was first seen to be unread; nil while nothing is.
        var unreadSince: SuspendingClock.Instant?
        var isReported = false
        var report: (@Sendable () -> Void)?
    }

    private let engine: Engine
    private let published = Mutex(Published())
    /// Used by the store's thread only.
    private let current = Mutex(Current())
    /// What wakes the store's thread; nil unless it sleeps until something is recorded.
    private let sleeper = Mutex<WakeUp?>(nil)
    private let stall = Mutex(Stall())
    /// Seconds since 1970-01-01 UTC.
    private let now: @Sendable () -> Int
    private let uptime: @Sendable () -> SuspendingClock.Instant

    /// The most values that wait for the store's thread to forget them while it sleeps; with more, the publisher does it.
    private static let longestList = 32
    /// How long the store's thread may read nothing before it counts as hung.
    private static let longestPause = Duration.seconds(5)

    /// - Parameters:
    ///   - source: Of the score that the engine was made with, number 0.
    ///   - name: The pattern's.
    ///   - now: Seconds since 1970-01-01 UTC.
    public convenience init(
        _ engine: Engine, source: ScoreSource, named name: String, now: @escaping @Sendable () -> Int
    ) {
        self.init(engine, source: source, named: name, now: now) { .now }
    }

    init(
        _ engine: Engine, source: ScoreSource, named name: String, now: @escaping @Sendable () -> Int,
        uptime: @escaping @Sendable () -> SuspendingClock.Instant
    ) {
        (self.engine, self.now, self.uptime) = (engine, now, uptime)
        published.withLock { $0.scores.add(PublishedScore(source: source, name: name), number: 0, at: uptime()) }
        engine.setTakes(areWanted: true)
    }

    // MARK: On the thread that publishes

    public func published(_ source: ScoreSource, named name: String, number: UInt) {
        add { $0.scores.add(PublishedScore(source: source, name: name), number: number, at: $1) }
    }

    public func published(_ timeline: TimelineNews, number: UInt) {
        add { $0.timelines.add(timeline, number: number, at: $1) }
    }

    public func published(_ kit: KitFingerprint?, number: Int) {
        add { $0.kits.add(kit, number: number, at: $1) }
    }

    private func add(_ change: (inout Published, SuspendingClock.Instant) -> Void) {
        let now = uptime()
        let count = published.withLock { published in
            change(&published, now)
            return published.count
        }
        guard count > Self.longestList else { return }
        // While this is locked, the thread does not wake up.
        sleeper.withLock { wakeUp in
            guard wakeUp != nil else { return }
            let numbers = engine.takeNumbers
            // All that is in the ring has been read, so what comes refers to these numbers or later ones.
            if !engine.hasTakeRecords { published.withLock { $0.forget(before: numbers, at: now) } }
        }
    }

    public func polled() {
        guard engine.hasTakeRecords else { return stall.withLock { $0.unreadSince = nil } }
        sleeper.withLock { wakeUp in
            wakeUp?.signal()
            wakeUp = nil
        }
        let report = stall.withLock { stall in
            let now = uptime()
            let since = stall.unreadSince ?? now
            stall.unreadSince = since
            guard !stall.isReported, now - since > Self.longestPause else { return nil as (@Sendable () -> Void)? }
            stall.isReported = true
            return stall.report
        }
        report?()
    }

    /// Calls a function, on the thread that polls, when the store's thread has read nothing for long, because the disk hangs.
    func whenStalled(_ report: @escaping @Sendable () -> Void) { stall.withLock { $0.report = report } }

    /// How many values are kept.
    var publishedCount: Int { published.withLock { $0.count } }

    // MARK: On the store's thread

    /// Whether the thread may sleep until it is signalled: nothing is to be passed on. It must say when it is awake.
    func maySleep(until wakeUp: WakeUp) -> Bool {
        guard current.withLock({ $0.waiting == nil && !$0.isRecording }) else { return false }
        sleeper.withLock { $0 = wakeUp }
        // After the above: what is recorded from now on wakes it.
        return !engine.hasTakeRecords
    }

    /// The engine is to begin another take, because this one cannot be kept.
    func abandonTake() {
        if current.withLock({ $0.isRecording }) { engine.abandonTake() }
    }

    /// Whether the thread was reported to hang, and does no longer.
    func hasRecovered() -> Bool {
        stall.withLock { stall in
            defer { (stall.unreadSince, stall.isReported) = (nil, false) }
            return stall.isReported
        }
    }

    func isAwake() { sleeper.withLock { $0 = nil } }

    /// Passes on what the engine has recorded.
    ///
    /// - Parameter patience: How long to wait until the callback has written all of the take under way; nil to leave it what it
    ///   has yet to write.
    func drain(into store: TakeStore, waiting patience: Duration?) {
        current.withLock { current in
            drain(into: store, &current)
            guard let patience, current.isRecording else { return }
            engine.hurryTake()
            let end = SuspendingClock.now + patience
            while engine.isTakeHurried, SuspendingClock.now < end { usleep(1000) }
            drain(into: store, &current)
        }
    }

    private func drain(into store: TakeStore, _ current: inout Current) {
        let numbers = engine.takeNumbers
        while let record = current.waiting ?? engine.nextTakeRecord() {
            current.waiting = nil
            guard keep(record, &current, store) else {
                current.waiting = record
                return
            }
        }
        published.withLock { $0.forget(before: numbers, at: uptime()) }
        let missedCount = engine.missedTakes
        if missedCount != current.missedCount { store.miss() }
        current.missedCount = missedCount
    }

    /// - Returns: Whether everything that the record refers to was there.
    private func keep(_ record: TakeRecord, _ current: inout Current, _ store: TakeStore) -> Bool {
        switch record {
        case .began(let beginning): return begin(beginning, &current, store)
        case .log(let chunk):
            guard chunk.references.allSatisfy(isPublished) else { return false }
            if let lost = chunk.exactFrameCount { current.isInexact(from: lost) }
            for reference in chunk.references { add(reference, of: chunk.frameCount, &current, to: store) }
            store.add(TakeContent.record(TakeContent.log, chunk.bytes))
            store.note(
                TakeProgress(
                    frames: Int64(chunk.frameCount), hasPlayed: chunk.hasPlay, inexactFrom: current.inexactFrom))
        case .ended(let ending):
            if let lost = ending.exactFrameCount { current.isInexact(from: lost) }
            store.note(
                TakeProgress(
                    frames: Int64(ending.frameCount), hasPlayed: ending.hasPlay, inexactFrom: current.inexactFrom))
            store.end()
            current.isRecording = false
        }
        return true
    }

    private func begin(_ beginning: TakeBeginning, _ current: inout Current, _ store: TakeStore) -> Bool {
        let numbers = beginning.numbers
        var references: [TakeReference] = [.score(numbers.score)]
        if numbers.timeline != 0 { references.append(.timeline(numbers.timeline)) }
        if numbers.kit != 0 { references.append(.kit(numbers.kit)) }
        guard references.allSatisfy(isPublished) else { return false }
        (current.scores, current.isRecording, current.inexactFrom) = (ScoreEncoder(), true, nil)
        store.begin(
            TakeHead(
                engineVersion: Engine.version, architecture: TakeHead.ownArchitecture,
                sampleRate: Int(beginning.sampleRate), began: now(),
                // A pattern that was loaded right before counts only in the cycles that follow.
                pattern: published.withLock { $0.scores.latest?.name ?? "" }))
        for reference in references { add(reference, of: 0, &current, to: store) }
        store.add(TakeContent.record(TakeContent.beginning, TakeContent.bytes(of: beginning)))
        return true
    }

    private func isPublished(_ reference: TakeReference) -> Bool {
        published.withLock { published in
            switch reference {
            case .score(let number): published.scores.includes(number)
            case .timeline(let number): published.timelines.includes(number)
            case .kit(let number): published.kits.includes(number)
            }
        }
    }

    /// Passes on what a log refers to. If it was forgotten, because the callback took too long, what came after it is passed on.
    ///
    /// - Parameter frame: Of the take.
    private func add(_ reference: TakeReference, of frame: Int, _ current: inout Current, to store: TakeStore) {
        switch reference {
        case .score(let number):
            let (score, isExact) = published.withLock { $0.scores.standIn(for: number) }
            if !isExact { current.isInexact(from: frame) }
            var writer = CompactWriter()
            writer.write(UInt64(number))
            let source = score?.source ?? ScoreSource()
            store.add(TakeContent.record(TakeContent.score, writer.bytes + current.scores.encode(source)))
        case .timeline(let number):
            let (news, isExact) = published.withLock { $0.timelines.standIn(for: number) }
            if !isExact { current.isInexact(from: frame) }
            store.add(
                TakeContent.record(TakeContent.timeline, TakeContent.bytes(of: news ?? TimelineNews(), number: number)))
        case .kit(let number):
            let (found, isExact) = published.withLock { $0.kits.standIn(for: number) }
            if number != 0, !isExact { current.isInexact(from: frame) }
            let kit = number == 0 ? nil : found ?? nil
            store.add(TakeContent.record(TakeContent.kit, TakeContent.bytes(of: kit, number: number)))
        }
    }
}
