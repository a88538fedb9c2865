import Dispatch
import Glibc
import Synchronization

/// Threads for work that blocks on the disk or is slow: Swift's own pool has one thread per processor, so such work
/// would hold up everything else.
///
/// Threads are started for work, up to a limit, and end when none is left, unless they stay.
public final class WorkerThreads: TaskExecutor {
    /// How soon a thread that could not be started is tried again.
    private static let retryInterval = DispatchTimeInterval.milliseconds(100)

    private let name: String
    private let limit: Int
    private let niceness: Int32
    private let state: Mutex<State>
    /// Signalled for each job if threads stay.
    private let work = DispatchSemaphore(value: 0)
    /// Calls of ``WorkerThreads/run(_:)`` that have not returned.
    private let calls = DispatchGroup()

    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var threads = 0
        var stays: Bool
    }

    /// Starts no threads until there is work.
    ///
    /// - Parameters:
    ///   - name: The threads' name for debuggers, at most 15 bytes.
    ///   - limit: How many may run at once.
    ///   - niceness: The threads' niceness, 0 to 19.
    ///   - stays: Whether threads wait for more work until ``WorkerThreads/end()``. Otherwise each new thread may get
    ///     its own heap (mallopt(3), `M_ARENA_MAX`), which fragments memory.
    public init(_ name: String, limit: Int = 1, niceness: Int32 = 0, stays: Bool = false) {
        self.name = name
        self.limit = limit
        self.niceness = niceness
        state = Mutex(State(stays: stays))
    }

    /// Runs work on one of the threads when one is free. The work can check whether its task is cancelled.
    public func run<Result: Sendable>(_ work: @Sendable () throws -> Result) async rethrows -> Result {
        calls.enter()
        defer { calls.leave() }
        return try await withTaskExecutorPreference(self) { try work() }
    }

    /// Waits, up to a limit, until no work is left.
    public func drain(within limit: Duration) {
        _ = calls.wait(timeout: .now() + limit / .seconds(1))
    }

    /// Ends staying threads once the queued work is done.
    public func end() {
        state.withLock { $0.stays = false }
        for _ in 0..<limit { work.signal() }
    }

    /// Continues a task on one of the threads.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Runs a job on one of the threads, after those already waiting.
    public func submit(_ job: @escaping @Sendable () -> Void) {
        let stays = state.withLock { state in
            state.jobs.append(job)
            return state.stays
        }
        startThreadForJobs()
        if stays { work.signal() }
    }

    /// Starts a thread if jobs wait for one and another may run. If the system has none, tries again until it has.
    private func startThreadForJobs() {
        let isNeeded = state.withLock { state in
            guard !state.jobs.isEmpty, state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        guard isNeeded, (try? startThread()) == nil else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.retryInterval) { self.startThreadForJobs() }
    }

    /// Starts a staying thread before there is work, so that its work cannot fail for lack of a thread.
    ///
    /// - Throws: If the system cannot start a thread.
    public func start() throws(OrdinaryThread.Failure) {
        state.withLock { $0.threads += 1 }
        try startThread()
    }

    /// Starts a thread that is already counted.
    private func startThread() throws(OrdinaryThread.Failure) {
        do throws(OrdinaryThread.Failure) {
            try OrdinaryThread.start(name: name) { [self] in
                // On Linux this affects only the calling thread (setpriority(2)).
                if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
                while let job = nextJob() { job() }
            }
        } catch {
            state.withLock { $0.threads -= 1 }
            throw error
        }
    }

    /// The next job; nil if there is none, and then the thread must end.
    private func nextJob() -> (@Sendable () -> Void)? {
        while true {
            let (job, stays) = state.withLock { state in
                guard state.jobs.isEmpty else { return (state.jobs.removeFirst() as (@Sendable () -> Void)?, true) }
                if !state.stays { state.threads -= 1 }
                return (nil, state.stays)
            }
            if job != nil || !stays { return job }
            work.wait()
        }
    }
}
