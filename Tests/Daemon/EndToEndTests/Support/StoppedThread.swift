import Foundation
import Glibc

/// One thread of a child process, stopped as by a debugger while the others continue.
final class StoppedThread: Sendable {
    // linux/ptrace.h and linux/wait.h
    private static let seize: CInt = 0x4206
    private static let interrupt: CInt = 0x4207
    private static let detach: CInt = 17
    private static let anyChild: CInt = 0x4000_0000

    private let goOn = DispatchSemaphore(value: 0)
    private let isGoingOn = DispatchSemaphore(value: 0)

    /// Stops the thread whose name has this prefix; throws if there is none, or it may not be stopped.
    init(_ name: String, of process: pid_t) async throws {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").compactMap(
            pid_t.init)
        let found = threads.first { thread in
            (try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/comm", encoding: .utf8))?.hasPrefix(name)
                == true
        }
        guard let found else { throw POSIXError(.ESRCH) }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // All on one thread, because the kernel ties tracing to a thread.
            Thread.detachNewThread { [self] in
                guard trace(Self.seize, found, 0, 0) == 0 else {
                    return continuation.resume(throwing: POSIXError(.init(rawValue: errno) ?? .EPERM))
                }
                var status: CInt = 0
                _ = trace(Self.interrupt, found, 0, 0)
                waitpid(found, &status, Self.anyChild)
                continuation.resume()
                goOn.wait()
                _ = trace(Self.detach, found, 0, 0)
                isGoingOn.signal()
            }
        }
    }

    /// Lets the thread continue.
    func resume() {
        goOn.signal()
        isGoingOn.wait()
    }
}
