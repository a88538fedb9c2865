import CLinux
import Glibc

/// The process that started this one, for a daemon that must not outlive it.
public enum ParentProcess {
    /// The given process did not start this one, or has ended.
    public struct Stranger: Error, CustomStringConvertible {
        let number: Int32

        public var description: String { "parent: process \(number) did not start this one, or has ended" }
    }

    /// Ends this process by SIGTERM when its parent ends, even if killed. For Linux the parent is the thread that
    /// started this process.
    ///
    /// - Throws: ``Stranger``.
    public static func follow(_ number: Int32) throws(Stranger) {
        clinux_end_with_parent()
        guard getppid() == number else { throw Stranger(number: number) }
    }
}
