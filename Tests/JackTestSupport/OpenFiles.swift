import Glibc

/// The descriptors that this process may have.
public enum OpenFiles {
    /// Takes as many as the system grants.
    ///
    /// - Returns: Whether it got them.
    @discardableResult
    public static func raiseLimit() -> Bool {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }
}
