import Configuration
import Control
import Engine
import FoundationEssentials
import Glibc
import JSON
import Logging
import Music
import PatternFormat
import SQLite
import Synchronization
import SystemSupport
import Takes
import Wire

/// The performances that are kept, in `takes.db` beside the session. Whatever fails here, the session and the sound go on.
final class KeptTakes: Sendable {
    /// What is reported while the daemon runs.
    enum News: Sendable {
        /// A take has begun or ended.
        case changed
        case status(TakeStatus)
    }

    /// Records what an engine plays; nil if that is switched off.
    let keeper: TakeKeeper?
    /// For one reader.
    let news: AsyncStream<News>

    /// How long clients wait for a disk that hangs, and how many requests may wait for it at once.
    private static let (patience, longestQueue) = (Duration.seconds(5), 4096)

    private let engine: Engine?
    /// Nil if takes are switched off and there are none, and without a thread.
    private let store: TakeStore?
    /// Why nothing is recorded, although it should be.
    private let stoppage: Mutex<String?>
    /// Requests that the store has not answered.
    private let requestCount = Atomic(0)

    /// No takes, and none will be.
    convenience init() { self.init(nil, nil, nil, AsyncStream.makeStream().stream, stoppage: nil) }

    /// Records from now on, unless that is switched off: then the takes that are there can still be used.
    ///
    /// - Parameter document: Of the engine's first score.
    convenience init(_ settings: DaemonSettings, of engine: Engine, playing document: Document, _ logger: Logger) {
        let (news, send) = AsyncStream<News>.makeStream()
        let reports = TakeStore.Reports(
            onStatus: { send.yield(.status($0)) },
            onSetAside: { logger.warning("the takes that were there are set aside as \($0): \($1)") },
            onChange: { send.yield(.changed) })
        var options = TakeStore.Options(
            limits: TakeLimits(takes: settings.takesKeep, size: settings.takesSize << 20))
        options.makesDatabase = settings.takesKeep > 0
        let keeper = options.makesDatabase ? TakeKeeper(engine, playing: document) : nil
        do throws(OrdinaryThread.Failure) {
            let store = try TakeStore(in: settings.stateDirectory, options, reports, keeper: keeper)
            self.init(keeper, engine, store, news, stoppage: nil)
        } catch {
            logger.warning("takes cannot be used: \(error)")
            engine.setTakes(areWanted: false)
            if keeper != nil { send.yield(.status(.stopped("\(error)"))) }
            self.init(nil, nil, nil, news, stoppage: keeper == nil ? nil : "\(error)")
        }
    }

    private init(
        _ keeper: TakeKeeper?, _ engine: Engine?, _ store: TakeStore?, _ news: AsyncStream<News>, stoppage: String?
    ) {
        (self.keeper, self.engine, self.store, self.news) = (keeper, engine, store, news)
        self.stoppage = Mutex(stoppage)
    }

    /// Notes whether takes are kept, for ``list()``.
    ///
    /// - Returns: Why not; nil if they are.
    func note(_ status: TakeStatus) -> String? {
        let reason: String? = if case .stopped(let reason) = status { reason } else { nil }
        stoppage.withLock { $0 = reason }
        return reason
    }

    // MARK: For clients

    /// The takes, the newest first, and whether more are kept. If they cannot be read now, there are none and a reason.
    func list() async throws(ServiceError) -> TakeList {
        var (entries, failure): ([KeptTake], String?) = ([], nil)
        do throws(ServiceError) {
            entries = try await self.entries()
        } catch .storage(let reason) {
            failure = reason
        }
        let reason = failure ?? stoppage.withLock { $0 }
        let status: TakeList.Status = reason != nil ? .stopped : keeper == nil ? .off : .keeping
        return TakeList(takes: entries.reversed().map { ListedTake($0) }, status: status, reason: reason)
    }

    /// A take with a number. The current one is complete up to now.
    func take(_ number: Int) async throws(ServiceError) -> KeptTake {
        guard let take = try await entries().first(where: { $0.number == number }) else { throw .noTake(number) }
        return take
    }

    /// Compressed pieces of a take's content from one of them on; none at its end.
    func pieces(of take: KeptTake, from first: Int) async throws(ServiceError) -> [[UInt8]] {
        try await ask { store in try await store.pieces(of: take.number, from: first) } ?? []
    }

    /// Stars a take, or takes its star away.
    func star(_ number: Int, _ isStarred: Bool) async throws(ServiceError) {
        let isThere = try await ask { store in try await store.star(Int64(number), isStarred) }
        guard isThere == true else { throw .noTake(number) }
    }

    /// Deletes a take that has ended.
    func delete(_ number: Int) async throws(ServiceError) {
        let wasThere = try await ask { store in try await store.delete(Int64(number)) }
        guard wasThere != true else { return }
        // There is none, or it is the current one.
        _ = try await take(number)
        throw .invalid(FieldError(field: "take", problem: .invalid("take \(number) is still being recorded")))
    }

    private func entries() async throws(ServiceError) -> [KeptTake] {
        try await ask { store in try await store.entries() } ?? []
    }

    /// The store's answer; nil if there are no takes.
    private func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (TakeStore) async throws -> Answer
    ) async throws(ServiceError) -> Answer? {
        guard let store else { return nil }
        do {
            guard requestCount.load(ordering: .relaxed) < Self.longestQueue else { throw NoAnswer() }
            requestCount.add(1, ordering: .relaxed)
            return try await answer(within: Self.patience) { [self] in
                defer { requestCount.subtract(1, ordering: .relaxed) }
                return try await question(store)
            }
        } catch is CancellationError {
            throw .cancelled
        } catch let error as SQLiteError where error.systemCode == ENOENT && !store.options.makesDatabase {
            return nil
        } catch {
            throw .storage("the takes cannot be used: \(error)")
        }
    }

    // MARK: The end

    /// Ends the current take where it is, once the driver has ended, and begins to store the last of it.
    func end(after driver: PlayingDriver) {
        if driver.hasLeftEngine { engine?.endTake() }
        store?.close(within: .zero)
    }

    /// Waits, up to a limit, until everything is stored.
    ///
    /// - Returns: Whether it is.
    func close(within limit: Duration) -> Bool { store?.close(within: limit) ?? true }
}

/// What a function that cannot be cancelled returns, if that is in time.
private func answer<Answer: Sendable>(
    within limit: Duration, _ question: @escaping @Sendable () async throws -> Answer
) async throws -> Answer {
    let (answers, answer) = AsyncStream<Result<Answer, any Error>>.makeStream(bufferingPolicy: .bufferingOldest(1))
    Task {
        do { answer.yield(.success(try await question())) } catch { answer.yield(.failure(error)) }
        answer.finish()
    }
    let deadline = Task {
        try await Task.sleep(for: limit)
        answer.yield(.failure(NoAnswer()))
        answer.finish()
    }
    defer { deadline.cancel() }
    for await result in answers { return try result.get() }
    throw CancellationError()
}

private struct NoAnswer: Error, CustomStringConvertible {
    let description = "the disk does not answer"
}

extension TakeKeeper {
    /// Records what an engine plays from its first score on, which is a document's.
    fileprivate convenience init(_ engine: Engine, playing document: Document) {
        self.init(engine, source: ScoreSource(document), named: document.pattern.name) {
            Int(Date().timeIntervalSince1970)
        }
    }
}

extension ListedTake {
    fileprivate init(_ take: KeptTake) {
        self.init(
            number: Int(take.number), began: Timestamp.text(seconds: take.head.began) ?? "",
            seconds: take.seconds, pattern: take.head.pattern, isStarred: take.isStarred,
            inexactFrom: take.progress.inexactFrom.map { take.seconds(ofFrames: $0) }, isCurrent: take.isCurrent,
            isSketch: take.isSketch, rate: take.head.sampleRate, size: take.size)
    }
}
