import CLinux
import FoundationEssentials
import Glibc
import Synchronization
import SystemSupport

/// Locks memory as far as the limits allow.
///
/// Without a limit, all current and future memory is locked at once, each page only once it is used: otherwise whole stacks
/// of threads would be locked. With one, only the pages that are in RAM now are, first those of the heap, then those of the
/// program's code but not of libraries, so that later allocations do not fail. That waits until the driver says that the
/// callback's memory is allocated, and leaves room for what JACK's library locks itself.
public final class MemoryKeeper: Sendable {
    /// What is left of the limit. libjack maps a locked page for each client of the server, when that comes, and fails if it
    /// may not.
    public static let room = 1 << 20

    /// The limit; nil if all memory is locked, or none may be.
    private let limit: UInt64?
    private let locked = Mutex<[MemoryRegion]>([])

    /// What was locked at the start; nil if there is a limit, and ``lock()`` is to be called later.
    public let atStart: MemoryLock?

    /// Locks all memory unless there is a limit.
    ///
    /// - Parameter lockAll: Locks all memory, like the system's call.
    public init(
        _ rights: SchedulingRights = .current,
        lockAll: () -> CInt = { mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) }
    ) {
        if rights.isPrivileged || rights.lockedMemory == nil, lockAll() == 0 {
            (limit, atStart) = (nil, .all)
        } else if let lockedMemory = rights.lockedMemory {
            // In a user namespace the limit holds for the privileged too.
            (limit, atStart) = (lockedMemory, nil)
        } else {
            (limit, atStart) = (nil, .refused(errno))
        }
    }

    /// Locks the memory that is there now, instead of what was locked before; nothing if ``atStart`` says all.
    @discardableResult
    public func lock() -> MemoryLock {
        guard let limit else { return atStart ?? .all }
        return locked.withLock { locked in
            unlock(&locked)
            let others = Self.lockedByThisProcess
            let most = Int(clamping: limit) - Self.room - others
            let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let map = KernelFile.text("/proc/self/maps") ?? ""
            let regions = map.split(separator: "\n").compactMap { MemoryRegion($0, program: program) }
            // The largest last, among them the stacks of threads.
            let data = regions.filter { !$0.isCode }.sorted { $0.size < $1.size }
            var size = 0
            for piece in (data + regions.filter(\.isCode)).flatMap(\.pieces) where size < most {
                let piece = piece.prefix(most - size)
                guard piece.lock() else { continue }
                size += piece.size
                locked.append(piece)
            }
            return .part(size, limit: limit)
        }
    }

    /// Unlocks what ``lock()`` has locked.
    ///
    /// - Returns: Whether there was anything.
    public func release() -> Bool {
        locked.withLock { locked in
            defer { unlock(&locked) }
            return !locked.isEmpty
        }
    }

    private func unlock(_ regions: inout [MemoryRegion]) {
        // What has been unmapped meanwhile is skipped.
        for region in regions { region.unlock() }
        regions = []
    }

    /// Bytes that this process has locked.
    private static var lockedByThisProcess: Int {
        let status = KernelFile.text("/proc/self/status") ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmLck:") }
        let words = line?.split { $0 == " " || $0 == "\t" } ?? []
        return words.count > 1 ? (Int(words[1]) ?? 0) << 10 : 0
    }
}

/// A line of `/proc/self/maps`: `55d0c0a00000-55d0c0a21000 rw-p 00000000 00:00 0   [heap]`.
private struct MemoryRegion {
    private var address: UInt
    private(set) var size: Int
    /// Whether it is the program's code rather than its writable memory.
    let isCode: Bool

    private static let pageSize = Int(sysconf(CInt(_SC_PAGESIZE)))
    /// The most pages that are not in RAM and are locked because those around them are: each piece costs the kernel a mapping.
    private static let longestGap = 4

    /// The parts that are in RAM.
    var pieces: [MemoryRegion] {
        var isResident = [UInt8](repeating: 0, count: size / Self.pageSize)
        guard let start = UnsafeMutableRawPointer(bitPattern: address), mincore(start, size, &isResident) == 0 else {
            return []
        }
        var pieces: [Range<Int>] = []
        for page in isResident.indices where isResident[page] & 1 == 1 {
            if let last = pieces.last, page - last.upperBound <= Self.longestGap {
                pieces[pieces.count - 1] = last.lowerBound..<page + 1
            } else {
                pieces.append(page..<page + 1)
            }
        }
        return pieces.map { pages in
            var piece = self
            piece.address += UInt(pages.lowerBound * Self.pageSize)
            piece.size = pages.count * Self.pageSize
            return piece
        }
    }

    /// The first bytes, rounded down to whole pages.
    func prefix(_ most: Int) -> MemoryRegion {
        var part = self
        part.size = min(size, most / Self.pageSize * Self.pageSize)
        return part
    }

    func lock() -> Bool {
        size > 0 && UnsafeMutableRawPointer(bitPattern: address).map { clinux_lock_when_used($0, size) == 0 } ?? false
    }

    func unlock() {
        if let start = UnsafeMutableRawPointer(bitPattern: address) { munlock(start, size) }
    }

    /// Nil for a mapping that the process callback does not use.
    init?(_ line: Substring, program: String?) {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        let ends = fields[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
        guard fields.count >= 5, ends.count == 2, ends[0] > 0 else { return nil }
        let name = fields.count > 5 ? String(fields[5].drop { $0 == " " }) : ""
        isCode = fields[1] == "r-xp" && name == program
        guard isCode || fields[1] == "rw-p" && ["", "[heap]", program].contains(name) else { return nil }
        address = ends[0]
        size = Int(ends[1] - ends[0])
    }
}
