import DaemonTestSupport
import Foundation
import TestSupport

/// A program that runs to be measured. It ends when this process does, however that happens.
final class MeasuredProcess: Sendable {
    /// A program that ended before it said what it was to say.
    struct Failure: Error, CustomStringConvertible {
        var program: String
        var log: String
        var description: String { "\(program) ended too soon:\n\(log)" }
    }

    /// The program's process.
    let identifier: pid_t

    private let program: String
    /// A full pipe would stop the program, so it is read all the time.
    private let output: LineReader
    /// The shell that holds the program reads from its other end, and ends the program when nobody holds this one.
    private let leash: FileHandle

    private static let script = """
        (echo $BASHPID; exec "$@") </dev/null 2>&1 &
        exec >/dev/null
        read -r
        kill -TERM $! 2>/dev/null
        wait $!
        """

    /// Starts a program.
    init(_ program: URL, _ arguments: [String]) async throws {
        self.program = program.lastPathComponent
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments = ["-c", Self.script, "leash", program.path] + arguments
        let (input, pipe) = (Pipe(), Pipe())
        leash = input.fileHandleForWriting
        // Other children must not hold it.
        _ = fcntl(leash.fileDescriptor, F_SETFD, FD_CLOEXEC)
        shell.standardInput = input.fileHandleForReading
        shell.standardOutput = pipe
        try shell.run()
        output = LineReader(pipe.fileHandleForReading)
        guard let first = await output.next(), let identifier = pid_t(first) else {
            throw Failure(program: self.program, log: "")
        }
        self.identifier = identifier
    }

    deinit {
        try? leash.close()
    }

    /// Returns when the program has written a line that contains a text: that line.
    @discardableResult
    func wait(for text: String) async throws -> String {
        var log = ""
        while let line = await output.next() {
            if line.contains(text) { return line }
            log += line + "\n"
        }
        throw Failure(program: program, log: log)
    }

    /// Ends the program; returns when it is gone, with what it still wrote.
    @discardableResult
    func end() async throws -> [String] {
        try leash.close()
        return await rest()
    }

    /// Returns when the program has ended by itself, with what it wrote.
    func rest() async -> [String] {
        var lines: [String] = []
        while let line = await output.next() { lines.append(line) }
        return lines
    }
}
