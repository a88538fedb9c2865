import CLinux
import Glibc

/// The process that started this one, for a daemon that is to last no longer than that.
public enum ParentProcess {
    /// The process that was named is not, or is no longer, the one that started this one.
    public struct Stranger: Error, CustomStringConvertible {
        let number: Int32

        /// In words.
        public var description: String { "parent: process \(number) has not started this one, or has ended" }
    }

    /// Has this process end, as by SIGTERM, when its parent does, be it by SIGKILL. To Linux the parent is the thread that
    /// started this process.
    ///
    /// - Throws: ``Stranger``.
    public static func follow(_ number: Int32) throws(Stranger) {
        clinux_end_with_parent()
        guard getppid() == number else { throw Stranger(number: number) }
    }
}
