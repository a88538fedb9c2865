import CLinux
import FoundationEssentials
import Glibc
import SystemSupport

/// Keeps memory in RAM, so that the audio thread never waits for a page from a disk.
public enum MemoryLock: Equatable, Sendable, CustomStringConvertible {
    /// All memory stays in RAM once it is used.
    case all
    /// This many bytes of the current memory stay in RAM once they are used; the limit, in bytes, allows no more.
    case part(Int, limit: UInt64)
    /// No memory is locked: the system refused, with this error number.
    case refused(Int32)

    /// A larger private mapping is a thread's stack or another reserve, little of which is ever used.
    private static let largestRegion = 4 << 20

    /// Locks memory as far as the limits allow, each page only once it is used: otherwise whole thread stacks would be
    /// locked.
    ///
    /// Without a limit, all current and future memory is locked. With one, only current memory is, the heap first and
    /// then the program's code but not libraries, so that later allocations do not fail.
    ///
    /// - Parameter lockAll: Locks all memory, like the system's call.
    public static func lock(
        _ rights: SchedulingRights = .current,
        lockAll: () -> CInt = { mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) }
    ) -> MemoryLock {
        if rights.isPrivileged || rights.lockedMemory == nil, lockAll() == 0 { return .all }
        // In a user namespace the limit holds for the privileged too.
        guard let limit = rights.lockedMemory else { return .refused(errno) }
        return .part(lockRegions(upTo: Int(clamping: limit)), limit: limit)
    }

    /// - Returns: How many bytes are locked.
    private static func lockRegions(upTo limit: Int) -> Int {
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let map = KernelFile.text("/proc/self/maps") ?? ""
        let regions = map.split(separator: "\n").compactMap { MemoryRegion($0, program: program) }
        var locked = 0
        for region in regions.filter({ !$0.isCode && $0.size <= largestRegion }) + regions.filter(\.isCode)
        where locked + region.size <= limit && clinux_lock_when_used(region.start, region.size) == 0 {
            locked += region.size
        }
        return locked
    }

    public var description: String {
        switch self {
        case .all: "memory stays in RAM once it is used"
        case .part(let size, let limit):
            "\(size >> 10) KiB of memory stay in RAM once they are used; no more than \(limit >> 10) KiB may be locked"
        case .refused(let code): "memory may be swapped out: it cannot be locked: \(String(cString: strerror(code)))"
        }
    }
}

/// A line of `/proc/self/maps`: `55d0c0a00000-55d0c0a21000 rw-p 00000000 00:00 0   [heap]`.
private struct MemoryRegion {
    let start: UnsafeMutableRawPointer
    let size: Int
    /// Whether it is the program's code rather than its writable memory.
    let isCode: Bool

    /// Nil for a mapping that the process callback does not use.
    init?(_ line: Substring, program: String?) {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        let ends = fields[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
        guard fields.count >= 5, ends.count == 2, let start = UnsafeMutableRawPointer(bitPattern: ends[0]) else {
            return nil
        }
        let name = fields.count > 5 ? String(fields[5].drop { $0 == " " }) : ""
        isCode = fields[1] == "r-xp" && name == program
        guard isCode || fields[1] == "rw-p" && ["", "[heap]", program].contains(name) else { return nil }
        self.start = start
        size = Int(ends[1] - ends[0])
    }
}
