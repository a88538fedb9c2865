import CLinux
import Foundation
import Synchronization
import SystemSupport

/// A program that a test runs, writes lines to, and waits for line by line, for what it prints or logs. It is ended
/// when this value is released, or when this process ends in any way.
public final class ChildProgram: Sendable {
    /// Where a program's output goes.
    public enum Output {
        /// What it writes to standard output is printed, what it writes to standard error is logged.
        case read
        /// Both are logged.
        case logged
        /// It is written to files, or to a terminal.
        case written(FileHandle, errors: FileHandle)
    }

    /// The program ended before it logged the expected text.
    public struct Failure: Error, CustomStringConvertible {
        let program: String
        let log: String

        /// In words, with its log.
        public var description: String { "\(program) ended too soon:\n\(log)" }
    }

    /// Where it writes, if anywhere.
    public let directory: TemporaryDirectory
    private let name: String
    private let process = Process()
    private let exit: ProcessExit
    private let input = Pipe()
    private let endsWithInput: Bool
    private let printer: LineReader
    private let logger: KeptLines
    /// How many lines of the log have been waited for.
    private let heard = Mutex(0)

    /// A program that has not been started.
    ///
    /// - Parameters:
    ///   - environment: Its variables; by default this process's.
    ///   - variables: Further variables.
    ///   - directory: Where it writes; another program's, to find what that one stored.
    ///   - input: Where it reads; by default what is written to it.
    ///   - endsWithInput: Whether the end of its input ends it, rather than a signal.
    public init(
        _ executable: URL, _ arguments: [String], environment: [String: String]? = nil,
        variables: [String: String] = [:], in directory: TemporaryDirectory? = nil, input other: FileHandle? = nil,
        output: Output = .read, endsWithInput: Bool = false
    ) throws {
        self.directory = try directory ?? TemporaryDirectory()
        self.endsWithInput = endsWithInput
        name = executable.lastPathComponent
        process.executableURL = endsWithInput ? executable : URL(filePath: "/usr/bin/setpriv")
        process.arguments = (endsWithInput ? [] : ["--pdeathsig", "TERM", executable.path]) + arguments
        process.environment = (environment ?? ProcessInfo.processInfo.environment).merging(variables) { $1 }
        process.standardInput = other as Any? ?? input
        // Other children must not hold it open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        exit = ProcessExit(of: process)
        // Pipes are read to the end: a full one would stop the program.
        var (prints, logs) = (FileHandle.nullDevice, FileHandle.nullDevice)
        switch output {
        case .read:
            let (output, errors) = (Pipe(), Pipe())
            (process.standardOutput, process.standardError) = (output, errors)
            (prints, logs) = (output.fileHandleForReading, errors.fileHandleForReading)
        case .logged:
            let output = Pipe()
            (process.standardOutput, process.standardError) = (output, output)
            logs = output.fileHandleForReading
        case .written(let output, let errors): (process.standardOutput, process.standardError) = (output, errors)
        }
        // Foundation keeps a process that has ended, and its pipes.
        (printer, logger) = (LineReader(prints, closing: true), KeptLines(logs))
    }

    deinit {
        try? input.fileHandleForWriting.close()
        if !endsWithInput, process.isRunning { process.terminate() }
    }

    /// Starts it.
    @discardableResult
    public func start() throws -> ChildProgram {
        nonisolated(unsafe) var failure: (any Error)?
        let isStarted = DispatchSemaphore(value: 0)
        // The kernel ends the program when the thread that started it ends, so that thread waits for it.
        Thread.detachNewThread { [process, exit] in
            do { try process.run() } catch { failure = error }
            let hasFailed = failure != nil
            isStarted.signal()
            if !hasFailed { exit.block() }
        }
        isStarted.wait()
        if let failure { throw failure }
        return self
    }

    /// Its process ID.
    public var identifier: pid_t { process.processIdentifier }

    // MARK: Its output

    /// The next line that it prints, nil when it has ended; for one reader at a time.
    public func line() async -> String? { await printer.next() }

    /// Everything that it prints from here to its end.
    public func printed() async -> String {
        var text = ""
        while let line = await line() { text += line + "\n" }
        return text
    }

    /// Its log up to the last line that was waited for; the whole log after ``end(with:)``.
    public var log: String { logger.all.prefix(heard.withLock { $0 }).joined(separator: "\n") }

    /// Its whole log until now.
    public var wholeLog: String { logger.all.joined(separator: "\n") }

    /// Waits until it logs a text, after the lines already waited for.
    ///
    /// - Returns: The line with the text.
    @discardableResult
    public func wait(for text: String) async throws -> String {
        while let line = await logger.line(heard.withLock { $0 }) {
            heard.withLock { $0 += 1 }
            if line.contains(text) { return line }
        }
        throw Failure(program: name, log: log)
    }

    /// Waits until it logs a text, after the lines already waited for.
    ///
    /// - Returns: Whether it did, before it ended.
    public func says(_ text: String) async -> Bool { (try? await wait(for: text)) != nil }

    /// Waits until it has logged a text since it was started.
    ///
    /// - Returns: Whether it did, before it ended.
    public func hasSaid(_ text: String) async -> Bool {
        var number = 0
        while let line = await logger.line(number) {
            if line.contains(text) { return true }
            number += 1
        }
        return false
    }

    /// Writes a line to it.
    public func write(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

    // MARK: Its end

    public var isRunning: Bool { !exit.hasHappened }

    /// Sends a signal, unless it has ended.
    public func send(_ signal: Int32) {
        if isRunning { kill(process.processIdentifier, signal) }
    }

    /// Returns when it has ended.
    public func waitForExit() async { await exit.wait() }

    /// Ends it, unless it has ended by itself.
    ///
    /// - Returns: Its exit code, or the signal that ended it as a negative number.
    @discardableResult
    public func end(with signal: Int32 = SIGTERM) async -> Int32 {
        send(signal)
        await waitForExit()
        while await logger.line(heard.withLock { $0 }) != nil { heard.withLock { $0 += 1 } }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Closes its input, and waits until it has ended by itself.
    public func endOfInput() async {
        try? input.fileHandleForWriting.close()
        await waitForExit()
    }

    /// Runs it without input until it ends by itself.
    public func run() async throws -> (code: Int32, output: String, log: String) {
        try start()
        try input.fileHandleForWriting.close()
        async let output = printed()
        return (await end(with: 0), await output, log)
    }

    /// Runs a program from the PATH to its end, blocking this thread and discarding the output.
    ///
    /// - Returns: Whether it succeeded.
    public static func succeeds(_ command: [String]) -> Bool {
        // Not Foundation's: that waits for the end of a socket which other children may have inherited.
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for descriptor in STDIN_FILENO...STDERR_FILENO {
            posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
        }
        posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1)
        let words = command.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var (identifier, status): (pid_t, CInt) = (0, 0)
        guard posix_spawnp(&identifier, command[0], &files, nil, words, environ) == 0 else { return false }
        return retryingInterrupted { waitpid(identifier, &status, 0) } == identifier && status == 0
    }
}
