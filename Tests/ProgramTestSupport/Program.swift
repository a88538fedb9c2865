import Foundation

/// A program, run to its end as a shell would.
public struct Program {
    /// What came of a run.
    public struct Outcome: Sendable {
        /// The exit code.
        public let status: Int32
        /// What it wrote to standard output.
        public let output: String
        /// What it wrote to standard error.
        public let complaint: String
    }

    /// Where the build puts its programs: the test itself is there.
    public static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
    /// The built `pixelboop`.
    public static let url = folder.appendingPathComponent("pixelboop")

    /// Runs `pixelboop`.
    ///
    /// - Parameters:
    ///   - socket: Where it looks for the daemon.
    ///   - input: Its standard input.
    public static func run(_ arguments: [String], socket: String, input: String = "") async throws -> Outcome {
        let environment = ["PIXELBOOP_SOCKET": socket, "PATH": "/usr/bin:/bin", "TERM": "xterm-256color"]
        return try await run(url, arguments, environment: environment, input: input)
    }

    /// Runs any program.
    public static func run(
        _ executable: URL, _ arguments: [String], environment: [String: String], input: String = ""
    ) async throws -> Outcome {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("pb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let files = ["in", "out", "err"].map { scratch.appendingPathComponent($0) }
        try Data(input.utf8).write(to: files[0])
        for file in files[1...] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try await process.runToEnd()
        return Outcome(
            status: process.terminationStatus, output: try String(contentsOf: files[1], encoding: .utf8),
            complaint: try String(contentsOf: files[2], encoding: .utf8))
    }
}

extension Process {
    /// Runs and waits without blocking a thread.
    fileprivate func runToEnd() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            terminationHandler = { _ in continuation.resume() }
            do { try run() } catch { continuation.resume(throwing: error) }
        }
    }
}
