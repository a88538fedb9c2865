import Foundation
import Synchronization

/// A program that a test runs: what it prints and logs can be waited for line by line, and lines can be written to it. It is
/// ended when nobody has this value any more.
public final class ChildProgram: Sendable {
    /// How a program ended: its exit code, or the signal that ended it as a negative number, and how long that took.
    public typealias End = (code: Int32, duration: Duration)

    /// Where it writes, if it was told to.
    public let directory: TemporaryDirectory
    private let process = Process()
    private let exit: ProcessExit
    private let input = Pipe()
    private let printer: LineReader
    private let logger: LineReader
    private let logged = Mutex<[String]>([])

    /// A program that has not been started.
    ///
    /// - Parameters:
    ///   - environment: Its variables; those of this process unless given.
    ///   - directory: Where it is to write: that of another program, to find what that kept.
    public init(
        _ executable: URL, _ arguments: [String], environment: [String: String]? = nil,
        in directory: TemporaryDirectory? = nil
    ) throws {
        self.directory = try directory ?? TemporaryDirectory()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = executable
        process.arguments = arguments
        if let environment { process.environment = environment }
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
        exit = ProcessExit(of: process)
        // To the end: a full pipe would stop the program.
        printer = LineReader(output.fileHandleForReading)
        logger = LineReader(errors.fileHandleForReading)
    }

    deinit {
        try? input.fileHandleForWriting.close()
        if process.isRunning { process.terminate() }
    }

    /// Starts it.
    public func start() throws { try process.run() }

    /// The system's number for it.
    public var identifier: pid_t { process.processIdentifier }

    // MARK: What it says

    /// The next line that it prints, nil when it has ended; for one reader at a time.
    public func line() async -> String? { await printer.next() }

    /// All that it prints from here to its end.
    public func printed() async -> String {
        var text = ""
        while let line = await line() { text += line + "\n" }
        return text
    }

    /// What it has logged, as far as somebody waited for it; all of it once it was ended.
    public var log: String { logged.withLock { $0.joined(separator: "\n") } }

    /// Waits until it logs something after what was waited for before.
    ///
    /// - Returns: Whether it did, before it ended.
    public func says(_ text: String) async -> Bool {
        while let line = await logger.next() {
            logged.withLock { $0.append(line) }
            if line.contains(text) { return true }
        }
        return false
    }

    /// Writes a line to it.
    public func write(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

    // MARK: Its end

    /// Ends it, unless it has ended by itself.
    @discardableResult
    public func end(with signal: Int32 = SIGTERM) async -> End {
        let start = ContinuousClock.now
        if !exit.hasHappened { kill(process.processIdentifier, signal) }
        await exit.wait()
        let duration = ContinuousClock.now - start
        while let line = await logger.next() { logged.withLock { $0.append(line) } }
        return (process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus, duration)
    }

    /// Tells it that nothing more is written to it, and waits until it has ended by itself.
    public func endOfInput() async {
        try? input.fileHandleForWriting.close()
        await end(with: 0)
    }

    /// Runs it to its end, which it comes to by itself.
    public func run() async throws -> (code: Int32, output: String, log: String) {
        try start()
        async let output = printed()
        return (await end(with: 0).code, await output, log)
    }
}
