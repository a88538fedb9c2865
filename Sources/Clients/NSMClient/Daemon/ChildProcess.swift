import CLinux
import Glibc
import Synchronization
import SystemSupport

/// A program started by a thread that lives as long as the program, because Linux treats that thread as its parent.
final class ChildProcess: Sendable {
    struct Ending: Sendable {
        /// The status of wait(2).
        let status: CInt
        let lastLine: String
    }

    /// The system did not start it.
    struct Failure: Error, CustomStringConvertible {
        let program: String
        let code: CInt
        var description: String { "cannot start \(program): \(String(cString: strerror(code)))" }
    }

    /// Its PID, until it has ended.
    let identifier: pid_t
    /// The read end of its standard error; used by its thread only.
    private let output: Int32
    private let hasEnded = Mutex(false)
    private let end = Latch()

    /// Starts a program, whose standard error is copied to this one's.
    ///
    /// - Parameter onEnd: Called on its thread when it has ended.
    static func start(
        _ program: String, _ arguments: [String], environment: [String: String],
        onEnd: @escaping @Sendable (ChildProcess, Ending) -> Void
    ) async throws -> ChildProcess {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try OrdinaryThread.start(name: "daemon") {
                    do {
                        let child = try ChildProcess(program, arguments, environment)
                        continuation.resume(returning: child)
                        onEnd(child, child.follow())
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private init(_ program: String, _ arguments: [String], _ environment: [String: String]) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw Failure(program: program, code: errno) }
        defer { close(ends[1]) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO)
        // What others have opened is none of its business: whoever waits for the end of a pipe would wait for its end.
        posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1)
        // The program must not inherit blocked or ignored signals.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawn(&identifier, program, &files, &attributes, words, variables)
        guard code == 0 else {
            close(ends[0])
            throw Failure(program: program, code: code)
        }
        self.identifier = identifier
        output = ends[0]
    }

    // MARK: On its thread

    private func follow() -> Ending {
        let lastLine = copyOutput()
        // After it is reaped its PID may be reused, so it must not be sent signals.
        var information = siginfo_t()
        _ = retryingInterrupted { waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) }
        var status: CInt = 0
        hasEnded.withLock { hasEnded in
            waitpid(identifier, &status, 0)
            hasEnded = true
        }
        end.open()
        return Ending(status: status, lastLine: lastLine)
    }

    /// Copies its output, until it ends.
    ///
    /// - Returns: The last line.
    private func copyOutput() -> String {
        defer { close(output) }
        var tail: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = retryingInterrupted { read(output, &chunk, chunk.count) }
            guard count > 0 else { break }
            try? writeAll(Array(chunk[..<count]), to: STDERR_FILENO, of: "the log")
            tail = Array((tail + chunk[..<count]).suffix(4096))
        }
        let lines = String(decoding: tail, as: UTF8.self).split(separator: "\n")
        return lines.last.map(String.init) ?? ""
    }

    // MARK: On any thread

    /// Sends it a signal, unless it has ended.
    func signal(_ number: CInt) {
        hasEnded.withLock { hasEnded in
            if !hasEnded { _ = kill(identifier, number) }
        }
    }

    /// Returns when it has ended.
    func ended() async { await end.wait() }
}

extension ChildProcess.Ending: CustomStringConvertible {
    /// `pixelboopd: state-dir is in use`, or how the system ended it.
    var description: String {
        // wait(2): the low seven bits are the signal.
        let signal = status & 0x7f
        guard signal == 0 else { return "pixelboopd was ended by signal \(signal)" }
        return lastLine.isEmpty ? "pixelboopd ended with status \(status >> 8 & 0xff)" : lastLine
    }
}
