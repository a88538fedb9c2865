import Glibc
import SystemSupport
import Systemd
import Testing

/// Keeping memory in RAM under the limits that a user has. The process's own limit is not touched: root has none.
@Suite(.serialized) struct MemoryLockTests {
    @Test(arguments: [0, 1 << 20, 8 << 20]) func `with a finite limit no more than that is locked`(limit: UInt64) throws
    {
        defer { munlockall() }
        let lock = MemoryLock.lock(
            SchedulingRights(realTimePriority: 95, lockedMemory: limit, isPrivileged: false))
        guard case .part(let size, limit) = lock else {
            Issue.record("\(lock)")
            return
        }
        #expect(size <= limit)
        #expect((size > 0) == (limit > 0))
        #expect("\(lock)".hasSuffix("no more than \(limit >> 10) KiB may be locked"))
    }

    /// As for root in a container.
    @Test func `a privilege that does not count leaves what the limit allows`() {
        defer { munlockall() }
        let rights = SchedulingRights(realTimePriority: 95, lockedMemory: 1 << 20, isPrivileged: true)
        let lock = MemoryLock.lock(rights) {
            errno = ENOMEM
            return -1
        }
        guard case .part(let size, 1 << 20) = lock else {
            Issue.record("\(lock)")
            return
        }
        #expect(size > 0 && size <= 1 << 20)
    }

    @Test func `memory that may not be locked although there is no limit is reported`() {
        let rights = SchedulingRights(realTimePriority: 95, lockedMemory: nil, isPrivileged: false)
        let lock = MemoryLock.lock(rights) {
            errno = EPERM
            return -1
        }
        #expect(lock == .refused(EPERM))
    }

    @Test func `all mappings are seen, more than the kernel gives at once`() throws {
        let map = try #require(KernelFile.text("/proc/self/maps"))
        #expect(map.utf8.count > 4096 && map.contains("[stack]") && map.hasSuffix("\n"))
    }
}
