import Foundation
import TestSupport

/// A program, run to its end as a shell would.
public struct Program {
    public struct Outcome: Sendable {
        public let status: Int32
        /// What it wrote to standard output.
        public let output: String
        /// What it wrote to standard error.
        public let complaint: String
    }

    /// The built `pixelboop`.
    public static let url = URL.product("pixelboop")
    /// The folder of built programs, where the test itself is.
    public static let folder = url.deletingLastPathComponent()

    /// Runs `pixelboop`.
    ///
    /// - Parameters:
    ///   - socket: Where it looks for the daemon.
    ///   - input: Its standard input.
    public static func run(_ arguments: [String], socket: String, input: String = "") async throws -> Outcome {
        let environment = ["PIXELBOOP_SOCKET": socket, "PATH": "/usr/bin:/bin", "TERM": "xterm-256color"]
        return try await run(url, arguments, environment: environment, input: input)
    }

    public static func run(
        _ executable: URL, _ arguments: [String], environment: [String: String], input: String = ""
    ) async throws -> Outcome {
        let scratch = try TemporaryDirectory()
        try scratch.write(input, to: "in")
        for name in ["out", "err"] { try scratch.write("", to: name) }
        func file(_ name: String) -> URL { URL(filePath: scratch.file(name)) }
        let program = try ChildProgram(
            executable, arguments, environment: environment, in: scratch, input: FileHandle(forReadingFrom: file("in")),
            output: .written(
                FileHandle(forWritingTo: file("out")), errors: FileHandle(forWritingTo: file("err"))))
        let status = try await program.run().code
        return Outcome(
            status: status, output: try String(contentsOf: file("out"), encoding: .utf8),
            complaint: try String(contentsOf: file("err"), encoding: .utf8))
    }
}
