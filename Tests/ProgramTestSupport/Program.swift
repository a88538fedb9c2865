import Foundation

/// The built program, run as a shell would.
struct Program {
    /// What came of a run.
    struct Outcome {
        let status: Int32
        let output: String
        let complaint: String
    }

    /// Where the test itself is, is the program.
    static let url = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("pixelboop")

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - socket: Where it looks for the daemon.
    ///   - input: Its standard input.
    static func run(_ arguments: [String], socket: String, input: String = "") async throws -> Outcome {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("pb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let files = ["in", "out", "err"].map { scratch.appendingPathComponent($0) }
        try Data(input.utf8).write(to: files[0])
        for file in files[1...] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.environment = ["PIXELBOOP_SOCKET": socket, "PATH": "/usr/bin:/bin", "TERM": "xterm-256color"]
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
    func runToEnd() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            terminationHandler = { _ in continuation.resume() }
            do { try run() } catch { continuation.resume(throwing: error) }
        }
    }
}
