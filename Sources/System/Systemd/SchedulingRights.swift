import Glibc
import SystemSupport

/// A process's rights for the audio thread.
public struct SchedulingRights: Equatable, Sendable, CustomStringConvertible {
    /// The highest real-time priority that a thread may have (`RLIMIT_RTPRIO`); 0 for none.
    public var realTimePriority: UInt64
    /// Bytes that may be locked into memory (`RLIMIT_MEMLOCK`); nil for no limit.
    public var lockedMemory: UInt64?
    /// Whether the process may do both without limit, as root usually may.
    public var isPrivileged: Bool

    public init(realTimePriority: UInt64, lockedMemory: UInt64?, isPrivileged: Bool) {
        self.realTimePriority = realTimePriority
        self.lockedMemory = lockedMemory
        self.isPrivileged = isPrivileged
    }

    public static var current: SchedulingRights {
        SchedulingRights(
            realTimePriority: limit(__RLIMIT_RTPRIO) ?? 99, lockedMemory: limit(__RLIMIT_MEMLOCK),
            isPrivileged: isPrivileged(status: KernelFile.text("/proc/self/status") ?? ""))
    }

    /// Whether a process is privileged, from the text of `/proc/PID/status`. Root in a container often is not.
    public static func isPrivileged(status: String) -> Bool {
        let name = "CapEff:"
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        let capabilities = line.flatMap { UInt64($0.dropFirst(name.count + 1), radix: 16) } ?? 0
        // CAP_IPC_LOCK and CAP_SYS_NICE (capabilities(7)).
        let needed: UInt64 = 1 << 14 | 1 << 23
        return capabilities & needed == needed
    }

    /// A soft limit; nil if there is none.
    private static func limit(_ resource: __rlimit_resource) -> UInt64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max else {
            return nil
        }
        return UInt64(limit.rlim_cur)
    }

    /// Whether JACK can run the audio thread in real time and lock its shared memory, some 80 MB, into RAM.
    public var isEnough: Bool {
        isPrivileged || realTimePriority > 0 && lockedMemory.map { $0 >= 128 << 20 } ?? true
    }

    /// One line, with a warning if they are not enough.
    public var description: String {
        limits + (isEnough ? "" : ": sound may break up; pixelboop doctor says what to do")
    }

    /// One line: `real-time priority up to 95, locked memory unlimited`.
    public var limits: String {
        guard !isPrivileged else { return "real-time priority and locked memory unlimited (privileged)" }
        let priority = realTimePriority == 0 ? "no real-time priority" : "real-time priority up to \(realTimePriority)"
        let memory = lockedMemory.map { "locked memory up to \($0 >> 10) KiB" } ?? "locked memory unlimited"
        return "\(priority), \(memory)"
    }
}
