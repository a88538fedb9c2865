import Music
import Synchronization
import SystemSupport

/// What a store tells its owner, on any thread.
public struct StorageReports: Sendable {
    /// Writing starts to fail, the reason changes, or it works again.
    public var onStatus: @Sendable (StorageStatus) -> Void
    /// How long changes took to reach the disk, if that was too long; not more often than ``StorageTiming/reportPause``.
    public var onDelay: @Sendable (Duration) -> Void
    /// The disk has answered after the start, and has a session. Nothing is stored before ``SessionStore/decide(keeping:)``.
    public var onLateSession: @Sendable (Document, RecoveryReport) -> Void
    /// A database was set aside under this name.
    public var onSetAside: @Sendable (String) -> Void
    /// A copy could not be made.
    public var onCopyFailure: @Sendable (StorageFailure) -> Void

    public init(
        onStatus: @escaping @Sendable (StorageStatus) -> Void,
        onDelay: @escaping @Sendable (Duration) -> Void = { _ in },
        onLateSession: @escaping @Sendable (Document, RecoveryReport) -> Void = { _, _ in },
        onSetAside: @escaping @Sendable (String) -> Void = { _ in },
        onCopyFailure: @escaping @Sendable (StorageFailure) -> Void = { _ in }
    ) {
        self.onStatus = onStatus
        self.onDelay = onDelay
        self.onLateSession = onLateSession
        self.onSetAside = onSetAside
        self.onCopyFailure = onCopyFailure
    }
}

/// The first answer of the storage thread, for which the caller waits.
final class StorageStart: Sendable {
    struct Answer: Sendable {
        var document: Document
        var report: RecoveryReport
        var status: StorageStatus
    }

    private struct State {
        var answer: Answer?
        var isGivenUp = false
    }

    private let state = Mutex(State())
    private let wakeUp: WakeUp

    init() throws(StorageFailure) {
        guard let wakeUp = WakeUp() else { throw .file(FileError("create", "an eventfd")) }
        self.wakeUp = wakeUp
    }

    /// Gives the answer.
    ///
    /// - Returns: Whether the caller still waits for it.
    func give(_ answer: Answer) -> Bool {
        let isAwaited = state.withLock { state in
            if !state.isGivenUp { state.answer = answer }
            return !state.isGivenUp
        }
        wakeUp.signal()
        return isAwaited
    }

    /// Waits for the answer; nil when the time is up, and then there will be none.
    func wait(atMost limit: Duration) -> Answer? {
        let end = ContinuousClock.now + limit
        while true {
            let (answer, isOver) = state.withLock { state in
                state.isGivenUp = state.answer == nil && ContinuousClock.now >= end
                return (state.answer, state.isGivenUp)
            }
            if answer != nil || isOver { return answer }
            wakeUp.wait(atMost: end - .now)
        }
    }
}
