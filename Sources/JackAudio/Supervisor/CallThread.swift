import Synchronization
import SystemSupport

/// A thread for calls that may never return, one after the other.
final class CallThread: Sendable {
    private struct Queue {
        var calls: [@Sendable () -> Void] = []
        var isEnding = false
    }

    private let queue = Mutex(Queue())
    private let wake: WakeUp

    /// Starts the thread.
    init(name: String) throws(JackFailure) {
        wake = try WakeUp()
        try OrdinaryThread.startForJack(name: name) { [self] in run() }
    }

    /// Makes a call after those that are waiting.
    func submit(_ call: @escaping @Sendable () -> Void) {
        queue.withLock { $0.calls.append(call) }
        wake.signal()
    }

    /// Ends the thread after the calls that are waiting, should they all return.
    func end() {
        queue.withLock { $0.isEnding = true }
        wake.signal()
    }

    private func run() {
        while true {
            let (calls, isEnding) = queue.withLock { queue in
                defer { queue.calls = [] }
                return (queue.calls, queue.isEnding)
            }
            for call in calls { call() }
            if calls.isEmpty {
                if isEnding { return }
                wake.wait(atMost: nil)
            }
        }
    }
}
