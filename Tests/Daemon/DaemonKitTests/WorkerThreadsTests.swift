import Dispatch
import Foundation
import Glibc
import Synchronization
import SystemSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct WorkerThreadsTests {
    /// More jobs than Swift has threads.
    private static let crowd = 4 * ProcessInfo.processInfo.activeProcessorCount

    @Test func `work runs on a thread of that name and niceness, and returns its result or error`() async throws {
        struct Refusal: Error {}
        let threads = WorkerThreads("test", niceness: 7)
        let before = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        let (name, niceness) = await threads.run {
            (Thread.current.name, getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
        }
        #expect(name == "test")
        #expect(niceness == 7)
        let after = await Task { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }.value
        #expect(after == before)
        await #expect(throws: Refusal.self) { try await threads.run { throw Refusal() } }
    }

    @Test func `a thread can wait for others' work, and for its result or error`() async throws {
        struct Refusal: Error {}
        let threads = WorkerThreads("test")
        #expect(try await threads.run { try WorkerThreads.wait { 3 } } == 3)
        await #expect(throws: Refusal.self) {
            try await threads.run { try WorkerThreads.wait { () async throws -> Int in throw Refusal() } }
        }
    }

    @Test func `a thread whose task is cancelled waits no longer for work that never ends`() async {
        let threads = WorkerThreads("test")
        let (release, isReleased) = AsyncStream.makeStream(of: Void.self)
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await threads.run {
                try WorkerThreads.wait {
                    begins.yield()
                    // Unlike this task, the other hears nothing of the cancellation.
                    await Task { for await _ in release { break } }.value
                }
            }
        }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        isReleased.yield()
    }

    @Test func `no more threads than allowed run at once, and waiting work blocks nothing else`() async {
        let threads = WorkerThreads("test", limit: 2)
        let running = Counts()
        let gate = DispatchSemaphore(value: 0)
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup { group in
            for _ in 0..<Self.crowd {
                group.addTask {
                    await threads.run {
                        running.begin()
                        started.yield()
                        gate.wait()
                        running.end()
                    }
                }
            }
            var begun = starts.makeAsyncIterator()
            for _ in 0..<2 { await begun.next() }
            #expect(await Task { true }.value)
            #expect(await WorkerThreads("other").run { true })
            for _ in 0..<Self.crowd { gate.signal() }
        }
        #expect(running.most == 2)
        #expect(running.ended == Self.crowd)
    }

    @Test func `work sees that its task was cancelled, waiting work once it runs`() async {
        let threads = WorkerThreads("test")
        let gate = DispatchSemaphore(value: 0)
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let tasks = (0..<2).map { _ in
            Task {
                await threads.run {
                    started.yield()
                    gate.wait()
                    return Task.isCancelled
                }
            }
        }
        var begun = starts.makeAsyncIterator()
        await begun.next()
        for task in tasks { task.cancel() }
        for _ in tasks { gate.signal() }
        for task in tasks { #expect(await task.value) }
    }

    @Test func `draining includes waiting work, but ends at the limit`() async {
        let threads = WorkerThreads("test")
        let gate = DispatchSemaphore(value: 0)
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let running = Counts()
        let tasks = (0..<3).map { _ in
            Task {
                await threads.run {
                    started.yield()
                    gate.wait()
                    running.end()
                }
            }
        }
        var begun = starts.makeAsyncIterator()
        await begun.next()
        drain(threads, within: .milliseconds(1))
        #expect(running.ended == 0)
        for _ in tasks { gate.signal() }
        for task in tasks { await task.value }
        drain(threads, within: .seconds(60))
        #expect(running.ended == tasks.count)
    }

    @Test func `a staying thread does one job after the other until ended`() async {
        let threads = WorkerThreads("test", stays: true)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let first = await threads.run {
            Thread.current.threadDictionary["end"] = AtEnd { ended.yield() }
            return pthread_self()
        }
        for _ in 0..<3 { #expect(await threads.run { pthread_self() } == first) }
        threads.end()
        var end = ends.makeAsyncIterator()
        await end.next()
        #expect(await threads.run { true })
    }

    @Test func `a job for which no thread can be started is done once one can`() async {
        await #expect(processExitsWith: .success) {
            // Creates what a process creates only once, such as the thread that waits for times.
            try await Task.sleep(for: .milliseconds(1))
            let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
            var limit = rlimit()
            guard getrlimit(addressSpace, &limit) == 0 else { exit(1) }
            let (usual, most) = (limit.rlim_cur, limit.rlim_max)
            let hasTried = DispatchSemaphore(value: 0)
            // On a thread of its own, because libdispatch may wait until it has one.
            try OrdinaryThread.start(name: "first") {
                hasTried.wait()
                usleep(200_000)
                var limit = rlimit(rlim_cur: usual, rlim_max: most)
                setrlimit(addressSpace, &limit)
                while true { pause() }
            }
            // Room for a few objects, but not for a thread's stack of 8 MiB.
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).prefix { $0 != " " }
            let room = try #require(rlim_t(pages)) * rlim_t(sysconf(CInt(_SC_PAGESIZE))) + (4 << 20)
            var little = rlimit(rlim_cur: room, rlim_max: most)
            let (jobs, job) = AsyncStream.makeStream(of: Void.self)
            setrlimit(addressSpace, &little)
            let hasThread = (try? OrdinaryThread.start(name: "second") {}) != nil
            hasTried.signal()
            WorkerThreads("test").submit { job.yield() }
            var done = jobs.makeAsyncIterator()
            await done.next()
            exit(hasThread ? 1 : 0)
        }
    }

    private func drain(_ threads: WorkerThreads, within limit: Duration) { threads.drain(within: limit) }
}

/// Runs an action when it is released.
private final class AtEnd {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) { self.action = action }

    deinit { action() }
}

/// Counts running and ended work.
private final class Counts: Sendable {
    private let counts = Mutex(Values())

    private struct Values {
        var running = 0
        var most = 0
        var ended = 0
    }

    var most: Int { counts.withLock { $0.most } }
    var ended: Int { counts.withLock { $0.ended } }

    func begin() {
        counts.withLock { counts in
            counts.running += 1
            counts.most = max(counts.most, counts.running)
        }
    }

    func end() {
        counts.withLock { counts in
            counts.running -= 1
            counts.ended += 1
        }
    }
}
