import Engine
import Synchronization

/// Records what an engine played into a ``TakeStore``: takes its log out of the callback's ring, and puts what the log refers to
/// before it.
///
/// Pass on everything that is published, right after publishing it, from any thread. The rest happens on the store's thread.
public final class TakeKeeper: PublicationListener {
    /// What was published and the log may refer to.
    fileprivate struct Published {
        var scores: [UInt: (source: ScoreSource, name: String)] = [:]
        var timelines: [UInt: TimelineNews] = [:]
        var kits: [Int: KitFingerprint] = [:]
        /// The newest numbers that were passed on, and what they were when the log was read last.
        var newest = TakeNumbers()
        var earlier = TakeNumbers()
    }

    /// What the store's thread has in hand.
    private struct Current {
        var scores = ScoreEncoder()
        /// A record that refers to something that was not passed on yet.
        var waiting: TakeRecord?
    }

    private let engine: Engine
    private let published = Mutex(Published())
    /// Used by the store's thread only.
    private let current = Mutex(Current())
    /// Seconds since 1970-01-01 UTC.
    private let now: @Sendable () -> Int

    /// - Parameters:
    ///   - source: Of the score that the engine was made with, number 0.
    ///   - name: The pattern's.
    ///   - now: Seconds since 1970-01-01 UTC.
    public init(_ engine: Engine, source: ScoreSource, named name: String, now: @escaping @Sendable () -> Int) {
        self.engine = engine
        self.now = now
        published.withLock { $0.scores[0] = (source, name) }
        engine.setTakes(areWanted: true)
    }

    // MARK: What is published

    public func published(_ source: ScoreSource, named name: String, number: UInt) {
        published.withLock { published in
            published.scores[number] = (source, name)
            published.newest.score = number
        }
    }

    public func published(_ timeline: TimelineNews, number: UInt) {
        published.withLock { published in
            published.timelines[number] = timeline
            published.newest.timeline = number
        }
    }

    public func published(_ kit: KitFingerprint?, number: Int) { published.withLock { $0.kits[number] = kit } }

    /// How many values are kept.
    var publishedCount: Int { published.withLock { $0.scores.count + $0.timelines.count + $0.kits.count } }

    // MARK: On the store's thread

    /// Passes on what the engine has recorded.
    func drain(into store: TakeStore) {
        current.withLock { current in
            let numbers = engine.takeNumbers
            while let record = current.waiting ?? engine.nextTakeRecord() {
                current.waiting = nil
                guard keep(record, &current, store) else {
                    current.waiting = record
                    return
                }
            }
            published.withLock { $0.forget(before: numbers) }
        }
    }

    /// - Returns: Whether everything that the record refers to was there.
    private func keep(_ record: TakeRecord, _ current: inout Current, _ store: TakeStore) -> Bool {
        switch record {
        case .began(let beginning): return begin(beginning, &current, store)
        case .log(let chunk):
            guard chunk.references.allSatisfy(isPublished) else { return false }
            for reference in chunk.references { store.add(content(of: reference, &current)) }
            store.add(TakeContent.record(TakeContent.log, chunk.bytes))
            store.note(TakeProgress(frames: Int64(chunk.frameCount)))
        case .ended(let ending):
            store.note(
                TakeProgress(
                    frames: Int64(ending.frameCount), hasPlayed: ending.hasPlay,
                    inexactFrom: ending.exactFrameCount.map { Int64($0) }))
            store.end()
        }
        return true
    }

    private func begin(_ beginning: TakeBeginning, _ current: inout Current, _ store: TakeStore) -> Bool {
        let numbers = beginning.numbers
        var references: [TakeReference] = [.score(numbers.score)]
        if numbers.timeline != 0 { references.append(.timeline(numbers.timeline)) }
        if numbers.kit != 0 { references.append(.kit(numbers.kit)) }
        guard references.allSatisfy(isPublished) else { return false }
        current.scores = ScoreEncoder()
        store.begin(
            TakeHead(
                engineVersion: Engine.version, architecture: Self.architecture,
                sampleRate: Int(beginning.sampleRate), began: now(),
                pattern: published.withLock { $0.scores[numbers.score]?.name ?? "" }))
        for reference in references { store.add(content(of: reference, &current)) }
        store.add(TakeContent.record(TakeContent.beginning, TakeContent.bytes(of: beginning)))
        return true
    }

    private func isPublished(_ reference: TakeReference) -> Bool {
        published.withLock { published in
            switch reference {
            case .score(let number): number <= published.newest.score
            case .timeline(let number): number <= published.newest.timeline
            // A kit that was dropped has no fingerprint.
            case .kit: true
            }
        }
    }

    private func content(of reference: TakeReference, _ current: inout Current) -> [UInt8] {
        switch reference {
        case .score(let number):
            let source = published.withLock { $0.scores[number]?.source } ?? ScoreSource()
            var writer = CompactWriter()
            writer.write(UInt64(number))
            return TakeContent.record(TakeContent.score, writer.bytes + current.scores.encode(source))
        case .timeline(let number):
            let news = published.withLock { $0.timelines[number] } ?? TimelineNews()
            return TakeContent.record(TakeContent.timeline, TakeContent.bytes(of: news, number: number))
        case .kit(let number):
            let kit = published.withLock { $0.kits[number] }
            return TakeContent.record(TakeContent.kit, TakeContent.bytes(of: kit, number: number))
        }
    }

    #if arch(x86_64)
        static let architecture = "x86_64"
    #elseif arch(arm64)
        static let architecture = "arm64"
    #else
        static let architecture = "other"
    #endif
}

extension TakeKeeper.Published {
    /// Drops what no later record refers to: what is older than what counts, and what was replaced before the callback, which
    /// takes the newest, came to it. Without a driver nothing counts for long, and everything is replaced.
    fileprivate mutating func forget(before numbers: TakeNumbers) {
        scores = scores.filter { $0.key == numbers.score || $0.key >= max(numbers.score, earlier.score) }
        timelines = timelines.filter { $0.key == numbers.timeline || $0.key >= max(numbers.timeline, earlier.timeline) }
        kits = kits.filter { $0.key >= numbers.kit }
        earlier = newest
    }
}
