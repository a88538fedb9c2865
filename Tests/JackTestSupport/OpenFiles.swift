import Glibc
import TestSupport

/// The descriptors that a process may have.
public enum OpenFiles {
    /// Takes as many for this process as the system grants.
    ///
    /// - Returns: Whether it got them.
    @discardableResult
    public static func raiseLimit() -> Bool {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }

    /// The system does not let another process have them.
    public struct Failure: Error {}

    /// Gives another process a number of them, which may be fewer than it has open.
    public static func limit(_ process: pid_t, to count: Int) throws {
        guard ChildProgram.succeeds(["prlimit", "--pid", "\(process)", "--nofile=\(count):"]) else { throw Failure() }
    }
}
