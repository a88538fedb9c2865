import Glibc
import SystemSupport
import Systemd
import Testing

/// Keeping memory in RAM under the limits that a user has. The process's own limit is not touched: root has none.
@Suite(.serialized) struct MemoryLockTests {
    /// Unlocks what drivers of other tests have left locked.
    init() { munlockall() }

    private func keeper(limit: Int, isPrivileged: Bool = false) -> MemoryKeeper {
        let rights = SchedulingRights(
            realTimePriority: 95, lockedMemory: UInt64(limit), isPrivileged: isPrivileged)
        // As for root in a container, whose privilege does not count.
        return MemoryKeeper(rights) {
            errno = ENOMEM
            return -1
        }
    }

    private var lockedBytes: Int {
        let status = KernelFile.text("/proc/self/status") ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmLck:") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    @Test(arguments: [0, 1 << 20, 3 << 20, 8 << 20], [false, true])
    func `with a finite limit room is left for JACK`(limit: Int, isPrivileged: Bool) {
        defer { munlockall() }
        let keeper = keeper(limit: limit, isPrivileged: isPrivileged)
        #expect(keeper.atStart == nil && lockedBytes == 0)
        let lock = keeper.lock()
        guard case .part(let size, UInt64(limit)) = lock else {
            Issue.record("\(lock)")
            return
        }
        #expect(size <= max(0, limit - MemoryKeeper.room))
        #expect((size > 0) == (limit > MemoryKeeper.room))
        #expect("\(lock)".hasSuffix("no more than \(limit >> 10) KiB may be locked"))
    }

    @Test func `what others have locked is left to them`() throws {
        defer { munlockall() }
        let size = 2 << 20
        let memory = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        defer { munmap(memory, size) }
        try #require(mlock(memory, size) == 0)
        let keeper = keeper(limit: 2 << 20)
        #expect(keeper.lock() == .part(0, limit: 2 << 20))
        #expect(lockedBytes >= size)
        #expect(!keeper.release())
        #expect(lockedBytes >= size)
    }

    @Test func `memory is locked anew, instead of what was locked before, and released`() throws {
        defer { munlockall() }
        let keeper = keeper(limit: 4 << 20)
        for _ in 0..<3 {
            keeper.lock()
            #expect(lockedBytes > 0 && lockedBytes <= (4 << 20) - MemoryKeeper.room)
        }
        #expect(keeper.release())
        #expect(lockedBytes == 0)
        #expect(!keeper.release())
    }

    @Test func `memory that may not be locked although there is no limit is reported`() {
        let rights = SchedulingRights(realTimePriority: 95, lockedMemory: nil, isPrivileged: false)
        let keeper = MemoryKeeper(rights) {
            errno = EPERM
            return -1
        }
        #expect(keeper.atStart == .refused(EPERM) && keeper.lock() == .refused(EPERM))
    }

    @Test func `without a limit all memory is locked at once, and stays so`() {
        var calls = 0
        let keeper = MemoryKeeper(
            SchedulingRights(realTimePriority: 95, lockedMemory: nil, isPrivileged: false)
        ) {
            calls += 1
            return 0
        }
        #expect(keeper.atStart == .all && keeper.lock() == .all && !keeper.release() && calls == 1)
    }

    @Test func `all mappings are seen, more than the kernel gives at once`() throws {
        let map = try #require(KernelFile.text("/proc/self/maps"))
        #expect(map.utf8.count > 4096 && map.contains("[stack]") && map.hasSuffix("\n"))
    }
}
