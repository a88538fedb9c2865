import Glibc
import TestSupport

/// Limits of open file descriptors.
public enum FileLimit {
    /// Raises this process's limit to the highest that the system grants.
    ///
    /// - Returns: Whether that succeeded.
    @discardableResult
    public static func raiseLimit() -> Bool {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }

    /// The limit of another process cannot be set.
    public struct Failure: Error {}

    /// Sets another process's limit, which may be lower than the number that it has open.
    public static func limit(_ process: pid_t, to count: Int) throws {
        guard ChildProgram.succeeds(["prlimit", "--pid", "\(process)", "--nofile=\(count):"]) else { throw Failure() }
    }
}
