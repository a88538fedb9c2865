import Dispatch
import OfflineAudio
import Synchronization

/// Passes periods from the thread that renders their tracks to the thread that finishes them, and back to be used again.
final class PeriodQueue: Sendable {
    /// The queue accepts no more periods.
    struct Closed: Error {}

    private struct State {
        var free: [UnfinishedPeriod]
        var filled: [UnfinishedPeriod] = []
        var isClosed = false
    }

    /// How many periods there are: enough that the threads need not take turns.
    static let capacity = 64

    private let state: Mutex<State>
    private let room = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)

    /// - Parameter hasStems: Whether periods have stems, too.
    init(hasStems: Bool = false) {
        state = Mutex(State(free: (0..<Self.capacity).map { _ in UnfinishedPeriod(hasStems: hasStems) }))
        // Dispatch traps when it frees a semaphore whose value is below its initial one.
        for _ in 0..<Self.capacity { room.signal() }
    }

    // MARK: On the thread that renders the tracks

    /// Waits for a period to render into.
    func fetchFree() throws(Closed) -> UnfinishedPeriod {
        room.wait()
        let period = state.withLock { $0.isClosed ? nil : $0.free.removeLast() }
        if let period { return period }
        // A later call must not wait either.
        room.signal()
        throw Closed()
    }

    /// Hands over a rendered period.
    func add(_ period: UnfinishedPeriod) {
        state.withLock { $0.filled.append(period) }
        filled.signal()
    }

    // MARK: On the thread that finishes the periods

    /// Waits for the next period; give it back when it is written.
    func fetchNext() -> UnfinishedPeriod {
        filled.wait()
        return state.withLock { $0.filled.removeFirst() }
    }

    /// Gives back a period that was taken.
    func giveBack(_ period: UnfinishedPeriod) {
        state.withLock { $0.free.append(period) }
        room.signal()
    }

    /// Refuses all further periods.
    func close() {
        state.withLock { $0.isClosed = true }
        room.signal()
    }
}
