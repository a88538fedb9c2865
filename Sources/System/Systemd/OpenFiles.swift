import Glibc

/// The file descriptors that the process may have.
public enum OpenFiles {
    /// Descriptors reserved from clients: for JACK, the session, the event loop and the listening socket (about 30),
    /// for saves and exports, and for connections that are only refused.
    private static let reserve = 80

    /// Raises the limit as far as the system allows: each client needs a descriptor.
    ///
    /// - Returns: How many clients the descriptors suffice for, at least 1.
    public static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return max(1, Int(clamping: limit.rlim_max) - reserve)
    }
}
