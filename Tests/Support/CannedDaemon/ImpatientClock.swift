import Synchronization

/// A clock that ends every wait at once, and records it.
public final class ImpatientClock: Clock {
    public typealias Instant = ContinuousClock.Instant

    private let start = ContinuousClock.now
    private let elapsed = Mutex(Duration.zero)
    private let record = Mutex<[Duration]>([])

    public init() {}

    public var waits: [Duration] { record.withLock { $0 } }
    public var now: Instant { start + elapsed.withLock { $0 } }
    public var minimumResolution: Duration { .zero }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        record.withLock { $0.append(deadline - now) }
        elapsed.withLock { $0 = deadline - start }
    }
}
