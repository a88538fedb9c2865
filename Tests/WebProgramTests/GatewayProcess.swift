import DaemonTestSupport
import Foundation
import JackTestSupport
import TestSupport

/// A built `pixelboop-web`, run with everything that it writes in a directory of its own.
final class GatewayProcess {
    /// It ended before pages were served.
    struct Failure: Error {
        let log: String
    }

    let directory: TemporaryDirectory
    private let process = Process()
    private let exit: ProcessExit
    private let output = Pipe()
    private let errors = Pipe()
    private var reader: LineReader?
    /// What it has said: complete once it has ended.
    private(set) var said = ""

    /// A gateway that has not been started.
    ///
    /// - Parameters:
    ///   - directory: Where it writes; that of another one to share its token.
    ///   - flags: Flags besides those for socket, token and address.
    init(
        in directory: TemporaryDirectory? = nil, socket: String = "/nowhere/control.sock", flags: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        self.directory = try directory ?? TemporaryDirectory()
        process.executableURL = .product("pixelboop-web")
        process.arguments =
            ["--socket", socket, "--token-file", self.directory.file("web-token"), "--listen", "127.0.0.1:0"] + flags
        process.environment = ["HOME": self.directory.path].merging(environment) { $1 }
        (process.standardOutput, process.standardError) = (output, errors)
        exit = ProcessExit(of: process)
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Starts it, and waits until pages are served.
    ///
    /// - Returns: The port.
    func start() async throws -> Int {
        try process.run()
        let reader = LineReader(errors.fileHandleForReading)
        self.reader = reader
        while let line = await reader.next() {
            said += line + "\n"
            guard line.contains("listening on ") else { continue }
            return line.split(separator: ":").last.flatMap { Int($0) } ?? 0
        }
        throw Failure(log: said)
    }

    /// Ends it.
    ///
    /// - Returns: The exit code.
    func end(with signal: Int32 = SIGTERM) async -> Int32 {
        kill(process.processIdentifier, signal)
        await exit.wait()
        while let line = await reader?.next() { said += line + "\n" }
        return process.terminationStatus
    }

    /// Runs it to its end, which it comes to by itself.
    func run() async throws -> (code: Int32, output: String, errors: String) {
        try process.run()
        await exit.wait()
        func text(_ pipe: Pipe) -> String {
            String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        return (process.terminationStatus, text(output), text(errors))
    }
}
