import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import Journal

/// Work on the disk, on a thread of its own.
struct DiskWorkerTests {
    @Test func `one work after the other is done on the same thread, with its result`() async throws {
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

    @Test func `a worker whose thread the system does not start is refused`() async {
        await #expect(processExitsWith: .success) {
            // Makes what a process has only once.
            let first = try DiskWorker("first") {}
            let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
            var limit = rlimit()
            guard getrlimit(addressSpace, &limit) == 0 else { exit(1) }
            // Room for a few objects, and none for a thread's stack, which takes 8 MiB.
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).prefix { $0 != " " }
            let room = try #require(rlim_t(pages)) * rlim_t(sysconf(CInt(_SC_PAGESIZE))) + (4 << 20)
            var little = rlimit(rlim_cur: room, rlim_max: limit.rlim_max)
            setrlimit(addressSpace, &little)
            let second = try? DiskWorker("second") {}
            setrlimit(addressSpace, &limit)
            // Had its thread ended, the second could have its stack.
            withExtendedLifetime(first) {}
            exit(second == nil ? 0 : 1)
        }
    }

    /// The present thread's number, which no later one gets soon.
    private static var thread: String {
        var name = [CChar](repeating: 0, count: 64)
        readlink("/proc/thread-self", &name, name.count - 1)
        return name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}
