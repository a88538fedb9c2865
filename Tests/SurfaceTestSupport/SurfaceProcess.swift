import DaemonTestSupport
import Foundation
import JackTestSupport
import TestSupport

/// A built program of a surface, run with everything that it writes in a directory of its own.
public actor SurfaceProcess {
    /// Where it writes.
    public nonisolated let directory: TemporaryDirectory
    private let process = Process()
    private let exit: ProcessExit
    private let input = Pipe()
    private let output = Pipe()
    private let reader: LineReader
    private let printer: LineReader
    private let errors = Pipe()
    private var said: [String] = []

    /// A program that has not been started.
    ///
    /// - Parameters:
    ///   - socket: The daemon's control socket; nobody listens there unless told otherwise.
    ///   - directory: Where it writes: that of another one, to find what that kept.
    public init(
        _ program: String, socket: String = "/nowhere/control.sock", flags: [String] = [],
        environment: [String: String] = [:], in directory: TemporaryDirectory? = nil
    ) throws {
        self.directory = try directory ?? TemporaryDirectory()
        process.executableURL = .product(program)
        process.arguments = flags
        process.environment = ["HOME": self.directory.path, "PIXELBOOP_SOCKET": socket, "PATH": "/usr/bin:/bin"]
            .merging(environment) { $1 }
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
        exit = ProcessExit(of: process)
        reader = LineReader(errors.fileHandleForReading)
        printer = LineReader(output.fileHandleForReading)
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Starts it.
    public func start() throws { try process.run() }

    /// The system's number for it.
    public var identifier: pid_t { process.processIdentifier }

    /// What it has logged, as far as somebody waited for it.
    public var log: String { said.joined(separator: "\n") }

    /// Waits until it logs something after what was waited for before.
    ///
    /// - Returns: Whether it did, before it ended.
    public func says(_ text: String) async -> Bool {
        while let line = await reader.next() {
            said.append(line)
            if line.contains(text) { return true }
        }
        return false
    }

    /// Ends it, unless it has ended by itself.
    ///
    /// - Returns: The exit code, and how long it took.
    public func end(with signal: Int32 = SIGTERM) async -> (code: Int32, duration: Duration) {
        let start = ContinuousClock.now
        if !exit.hasHappened { kill(process.processIdentifier, signal) }
        await exit.wait()
        let duration = ContinuousClock.now - start
        while let line = await reader.next() { said.append(line) }
        return (process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus, duration)
    }

    /// Runs it to its end, which it comes to by itself.
    ///
    /// - Returns: The exit code.
    public func run() async throws -> Int32 {
        try process.run()
        return await end(with: 0).code
    }

    /// Writes a line to it.
    public func write(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

    /// The next line that it prints, nil when it has ended; for one reader at a time.
    public func line() async -> String? { await printer.next() }

    /// All that it prints from here to its end.
    public func printed() async -> String {
        var text = ""
        while let line = await line() { text += line + "\n" }
        return text
    }
}
