import CLinux
import Glibc

/// Threads without real-time scheduling that receive no signals except for their own faults.
public enum OrdinaryThread {
    /// The system cannot start a thread.
    public struct Failure: Error, CustomStringConvertible {
        /// The error number, as in `errno`.
        public let code: CInt

        public init(code: CInt) {
            self.code = code
        }

        public var description: String { "cannot start a thread: \(String(cString: strerror(code)))" }
    }

    /// Starts a detached thread.
    ///
    /// Signals go to the process's other threads. That includes SIGPIPE, which JACK's library can raise by writing to a
    /// server that is gone; the threads that the library starts from here inherit the mask.
    ///
    /// - Parameter name: The thread's name for debuggers, at most 15 bytes.
    public static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(Failure) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        let box = Unmanaged.passRetained(Box(name: name, body: body))
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, runBox, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw Failure(code: code)
        }
    }

    private final class Box: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private static let runBox: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
        guard let pointer else { return nil }
        var signals = sigset_t()
        sigfillset(&signals)
        // A fault with its signal blocked would end the process without a report.
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_SETMASK, &signals, nil)
        let box = Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue()
        clinux_name_thread(box.name)
        box.body()
        return nil
    }
}
