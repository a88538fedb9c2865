import Glibc

/// Keeping the process's memory in RAM, so that the audio thread never waits for a page to come back from a disk.
public enum MemoryLock: Equatable, Sendable, CustomStringConvertible {
    /// All memory stays, from its first use on.
    case all
    /// None does: the limit in bytes is too low.
    case limited(UInt64)
    /// None does: the system refused with an error number.
    case refused(Int32)

    /// Locks all memory of this process, and all that it will ever have, where any amount may be locked.
    ///
    /// Pages are locked when they are first used (`MCL_ONFAULT`): whole thread stacks would become memory otherwise. With a
    /// finite limit nothing is locked, because what is allocated later would then fail.
    public static func lock(_ rights: SchedulingRights = .current) -> MemoryLock {
        if !rights.isPrivileged, let limit = rights.lockedMemory { return .limited(limit) }
        return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 ? .all : .refused(errno)
    }

    /// One line for the log.
    public var description: String {
        switch self {
        case .all: "memory stays in RAM once it is used"
        case .limited(let limit): "memory may be swapped out: no more than \(limit >> 10) KiB may be locked"
        case .refused(let code): "memory may be swapped out: it cannot be locked: \(String(cString: strerror(code)))"
        }
    }
}
