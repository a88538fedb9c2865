import Glibc

/// The descriptors that the process may have.
public enum OpenFiles {
    /// Those that are no client's: JACK, files, event loops.
    private static let others = 64

    /// Takes as many as the system grants: each client is one.
    ///
    /// - Returns: How many clients that is enough for.
    public static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_max) - others
    }
}
