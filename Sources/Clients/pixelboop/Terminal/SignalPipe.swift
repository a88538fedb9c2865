import FoundationEssentials
import Glibc
import Synchronization

/// Turns signals into bytes that can be polled: the handler only writes the signal's number to a pipe.
enum SignalPipe {
    /// Listens for signals from now on.
    ///
    /// - Returns: The pipe's end to read the numbers from.
    static func listen(for signals: [Int32]) throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Failure(.refused, "cannot create a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writeEnd.store(ends[1], ordering: .releasing)
        for signal in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = forward
            action.sa_flags = SA_RESTART
            sigaction(signal, &action, nil)
        }
        return ends[0]
    }

    /// Writes a number as a signal would, to wake the reader.
    static func wake(with number: UInt8) {
        var number = number
        _ = write(writeEnd.load(ordering: .acquiring), &number, 1)
    }
}

private let writeEnd = Atomic<Int32>(-1)

private let forward: @convention(c) (Int32) -> Void = { signal in
    let saved = errno
    SignalPipe.wake(with: UInt8(truncatingIfNeeded: signal))
    errno = saved
}
