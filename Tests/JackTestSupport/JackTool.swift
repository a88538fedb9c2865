import Foundation
import TestSupport

/// JACK's own command-line programs: the server as any other client sees it, without a second client in this process.
public enum JackTool {
    /// A tool ended with an error.
    public struct Failure: Error {
        /// The command line.
        public let command: [String]
        /// What it printed.
        public let output: String
    }

    /// Runs a tool against a server.
    ///
    /// - Returns: What it printed.
    @discardableResult
    public static func run(_ command: String..., on server: JackServer) async throws -> String {
        try await run(command, environment: ["JACK_DEFAULT_SERVER": server.name])
    }

    /// Runs a tool in an environment: these variables and those of this process. A tool that a server keeps waiting for ever
    /// is ended after a minute.
    ///
    /// - Returns: What it printed.
    @discardableResult
    public static func run(_ command: [String], environment: [String: String]) async throws -> String {
        let (status, output) = try await onThread { Result { try execute(command, environment) } }.get()
        guard status == 0 else { throw Failure(command: command, output: output) }
        return output
    }

    private static func execute(_ command: [String], _ environment: [String: String]) throws -> (Int32, String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "60"] + command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
