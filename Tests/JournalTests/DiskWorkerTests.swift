import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import Journal

/// Work on the disk, on a thread of its own.
struct DiskWorkerTests {
    @Test func `all work is done on the same thread, one after the other, with results`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let worker = try DiskWorker("worker") { end.yield() }
        var waiting = ends.makeAsyncIterator()
        let threads = Mutex<Set<String>>([])
        for _ in 1...20 {
            #expect(worker.takeResult() == nil)
            let note: DiskStep = { () throws(StorageFailure) in threads.withLock { _ = $0.insert(Self.thread) } }
            worker.begin(DiskWork(steps: [note]))
            await waiting.next()
            #expect((try? worker.takeResult()?.get()) != nil)
        }
        #expect(threads.withLock { $0.count } == 1)
    }

    @Test func `a worker whose thread cannot be started throws`() async {
        await #expect(processExitsWith: .success) {
            // Creates what a process creates only once.
            let first = try DiskWorker("first") {}
            let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
            var limit = rlimit()
            guard getrlimit(addressSpace, &limit) == 0 else { exit(1) }
            // Room for a few objects, but not for a thread's stack of 8 MiB.
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).prefix { $0 != " " }
            let room = try #require(rlim_t(pages)) * rlim_t(sysconf(CInt(_SC_PAGESIZE))) + (4 << 20)
            var little = rlimit(rlim_cur: room, rlim_max: limit.rlim_max)
            setrlimit(addressSpace, &little)
            let second = try? DiskWorker("second") {}
            setrlimit(addressSpace, &limit)
            // If its thread had ended, the second could reuse its stack.
            withExtendedLifetime(first) {}
            exit(second == nil ? 0 : 1)
        }
    }

    /// The current thread's ID, which is not soon reused.
    private static var thread: String {
        var name = [CChar](repeating: 0, count: 64)
        readlink("/proc/thread-self", &name, name.count - 1)
        return name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}
