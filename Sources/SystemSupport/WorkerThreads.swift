import Dispatch
import Glibc
import Synchronization

/// Threads for work that blocks on the disk or is slow: Swift's own pool has one thread for each processor, so that
/// such work would hold up everything else.
///
/// A thread is started when there is work, up to a limit, and ends when there is none left, unless it is to stay.
public final class WorkerThreads: TaskExecutor {
    private let name: String
    private let limit: Int
    private let niceness: Int32
    private let state: Mutex<State>
    /// Signalled for each job where threads stay.
    private let work = DispatchSemaphore(value: 0)
    /// Calls of ``WorkerThreads/run(_:)`` that have not returned.
    private let calls = DispatchGroup()

    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var threads = 0
        var stays: Bool
    }

    /// No threads until there is work.
    ///
    /// - Parameters:
    ///   - name: The threads' name for debuggers, at most 15 bytes.
    ///   - limit: How many may run at once.
    ///   - niceness: The threads' niceness, 0 to 19.
    ///   - stays: Whether a thread waits for more work until ``WorkerThreads/end()``. Otherwise each new thread may get
    ///     a heap of its own (mallopt(3), `M_ARENA_MAX`), which fragments memory.
    public init(_ name: String, limit: Int = 1, niceness: Int32 = 0, stays: Bool = false) {
        self.name = name
        self.limit = limit
        self.niceness = niceness
        state = Mutex(State(stays: stays))
    }

    /// Does something on one of the threads, when one is free. A task that is cancelled can see so there, too.
    public func run<Result: Sendable>(_ work: @Sendable () throws -> Result) async rethrows -> Result {
        calls.enter()
        defer { calls.leave() }
        return try await withTaskExecutorPreference(self) { try work() }
    }

    /// Waits, at most for a while, until no work is left.
    public func drain(within limit: Duration) {
        _ = calls.wait(timeout: .now() + limit / .seconds(1))
    }

    /// Ends the threads that stay after their waiting work.
    public func end() {
        state.withLock { $0.stays = false }
        for _ in 0..<limit { work.signal() }
    }

    /// Lets a task go on on one of the threads.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Does something on one of the threads, after what waits there already.
    public func submit(_ job: @escaping @Sendable () -> Void) {
        let (startsThread, stays) = state.withLock { state in
            state.jobs.append(job)
            guard state.threads < limit else { return (false, state.stays) }
            state.threads += 1
            return (true, state.stays)
        }
        // Without a thread the job waits for the one that the next job starts.
        if startsThread { try? startThread() }
        if stays { work.signal() }
    }

    /// Starts one of the threads that stay before there is work for it, so that no work will lack it.
    ///
    /// - Throws: When the system starts no thread.
    public func start() throws(OrdinaryThread.Failure) {
        state.withLock { $0.threads += 1 }
        try startThread()
    }

    /// Starts a thread that is counted already.
    private func startThread() throws(OrdinaryThread.Failure) {
        do throws(OrdinaryThread.Failure) {
            try OrdinaryThread.start(name: name) { [self] in
                // Of the calling thread alone, on Linux (setpriority(2)).
                if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
                while let job = nextJob() { job() }
            }
        } catch {
            state.withLock { $0.threads -= 1 }
            throw error
        }
    }

    /// The next job; nil when there is none, and then the thread must end.
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
