import CLinux
import Glibc
import SystemSupport

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
    /// - Throws: ``Stranger``, or `OrdinaryThread.Failure`.
    public static func follow(_ number: Int32) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            do {
                // This thread must not end, as those of Swift's pool do when they have been idle for some seconds.
                try OrdinaryThread.start(name: "parent") {
                    clinux_end_with_parent()
                    continuation.resume()
                    while true { pause() }
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        guard getppid() == number else { throw Stranger(number: number) }
    }
}
