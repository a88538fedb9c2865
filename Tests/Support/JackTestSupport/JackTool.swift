import Foundation
import TestSupport

/// JACK's own command-line programs: the server as any other client sees it, without a second client in this process.
public enum JackTool {
    /// A tool ended with an error.
    public struct Failure: Error {
        /// The command line.
        public let command: [String]
        /// What it printed on standard output, then on standard error.
        public let output: String
    }

    /// Runs a tool against a server.
    ///
    /// - Returns: What it printed.
    @discardableResult
    public static func run(_ command: String..., on server: JackServer) async throws -> String {
        try await run(command, environment: ["JACK_DEFAULT_SERVER": server.name])
    }

    /// Waits until other programs see a port, by its full name: a tool that is started before looks for it only once. JACK
    /// reports new ports only to its clients, so this asks again and again.
    public static func waitForPort(_ port: String, on server: JackServer) async throws {
        try await waitUntil {
            try await run("jack_lsp", port, on: server).split(separator: "\n").contains { $0 == port }
        }
    }

    /// Runs a tool in an environment: these variables and those of this process. A tool that a server keeps waiting is
    /// ended after a minute.
    ///
    /// - Returns: What it printed.
    @discardableResult
    public static func run(_ command: [String], environment: [String: String]) async throws -> String {
        let (status, output, errors) = try await ChildProgram(
            URL(filePath: "/usr/bin/timeout"), ["60"] + command, variables: environment
        ).run()
        guard status == 0 else { throw Failure(command: command, output: output + errors) }
        return output
    }
}
