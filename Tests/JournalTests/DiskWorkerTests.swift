import Glibc
import Synchronization
import Testing

@testable import Journal

/// Work on the disk, on a thread of its own.
struct DiskWorkerTests {
    @Test func `one work after the other is done on the same thread, with its result`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let worker = DiskWorker("worker") { end.yield() }
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

    /// The present thread's number, which no later one gets soon.
    private static var thread: String {
        var name = [CChar](repeating: 0, count: 64)
        readlink("/proc/thread-self", &name, name.count - 1)
        return name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}
