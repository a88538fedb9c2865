import Glibc

/// What stays in RAM, so that the audio thread never waits for a page from a disk.
public enum MemoryLock: Equatable, Sendable, CustomStringConvertible {
    /// All memory stays in RAM once it is used.
    case all
    /// This many bytes of the current memory stay in RAM once they are used, because of a limit, in bytes.
    case part(Int, limit: UInt64)
    /// No memory is locked: the system refused, with this error number.
    case refused(Int32)

    public var description: String {
        switch self {
        case .all: "memory stays in RAM once it is used"
        case .part(let size, let limit):
            "\(size >> 10) KiB of memory stay in RAM once they are used; no more than \(limit >> 10) KiB may be locked"
        case .refused(let code): "memory may be swapped out: it cannot be locked: \(String(cString: strerror(code)))"
        }
    }
}
