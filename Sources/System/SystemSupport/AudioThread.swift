import CLinux
import Glibc

/// The scheduling of an audio thread.
public enum AudioThread {
    /// The most bytes of its stack that it uses.
    private static let usedStack = 64 << 10
    /// The priority that jackd usually gives its clients.
    private static let usualPriority = 60

    /// Makes the part of a thread's stack that rendering uses resident, and locks it if allowed: the first use of a
    /// page would cause a page fault.
    public static func keepStackInMemory(of thread: pthread_t) {
        var attributes = pthread_attr_t()
        guard pthread_getattr_np(thread, &attributes) == 0 else { return }
        defer { pthread_attr_destroy(&attributes) }
        var start: UnsafeMutableRawPointer?
        var size = 0
        guard pthread_attr_getstack(&attributes, &start, &size) == 0, let start else { return }
        let used = min(size, usedStack)
        // Stacks grow downwards.
        let top = start + (size - used)
        if mlock(top, used) != 0 { madvise(top, used, MADV_POPULATE_WRITE) }
    }

    /// A thread's real-time priority; nil if it has none.
    public static func realtimePriority(of thread: pthread_t) -> Int? {
        var policy: Int32 = 0
        var parameters = sched_param()
        guard pthread_getschedparam(thread, &policy, &parameters) == 0,
            policy == SCHED_FIFO || policy == SCHED_RR
        else { return nil }
        return Int(parameters.sched_priority)
    }

    /// Gives the calling thread real-time scheduling, with the usual priority or the highest that is allowed.
    ///
    /// - Returns: The priority; nil if none is allowed.
    public static func becomeRealtime() -> Int? {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit)
        for priority in [usualPriority, min(usualPriority, Int(clamping: limit.rlim_cur))] where priority > 0 {
            var parameters = sched_param(sched_priority: Int32(priority))
            if pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0 { return priority }
        }
        return nil
    }

    /// Gives the calling thread ordinary scheduling.
    public static func becomeOrdinary() {
        var parameters = sched_param(sched_priority: 0)
        pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters)
    }
}
