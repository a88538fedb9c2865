import Foundation
import JackTestSupport
import PixelBoopClient

/// A built `pixelboopd`, run with everything that it writes in a directory of its own.
public actor DaemonProcess {
    /// The daemon ended before clients could connect.
    public struct Failure: Error, CustomStringConvertible {
        /// What the daemon said.
        public let log: String

        /// In words.
        public var description: String { "pixelboopd did not start:\n\(log)" }
    }

    /// Where the daemon writes.
    public nonisolated let directory: URL
    private let jackServer: String
    private let environment: [String: String]
    private var process = Process()
    private var exit: ProcessExit?
    private var said: [String] = []
    private var reading: Task<Void, Never>?

    /// A daemon that has not been started, for a JACK server of the given name.
    ///
    /// - Parameter environment: Variables beside those of this process.
    public init(jackServer: String, environment: [String: String] = [:]) throws {
        self.jackServer = jackServer
        self.environment = environment
        directory = FileManager.default.temporaryDirectory.appending(path: "pixelboop-\(UUID().uuidString)")
        let runtime = directory.appending(path: "run")
        try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
    }

    deinit {
        if process.isRunning { process.interrupt() }
        try? FileManager.default.removeItem(at: directory)
    }

    /// What `$XDG_RUNTIME_DIR` would be for those who are to find the daemon by themselves.
    public nonisolated var runtimeDirectory: String { directory.appending(path: "run").path }

    /// Where clients connect.
    public nonisolated var socketPath: String { "\(runtimeDirectory)/pixelboop/control.sock" }

    /// Where the session is kept.
    public nonisolated var stateDirectory: URL { directory.appending(path: "state") }

    /// What the daemon has said since its last start.
    public var log: String { said.joined(separator: "\n") }

    /// Starts the daemon; returns when clients can connect.
    public func start() async throws {
        process = Process()
        process.executableURL = Self.executable
        process.arguments = [
            "--socket", socketPath, "--state-dir", stateDirectory.path,
            "--data-dir", directory.appending(path: "data").path, "--jack-server", jackServer,
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardError = pipe
        exit = ProcessExit(of: process)
        try process.run()
        said = []
        let reader = LineReader(pipe.fileHandleForReading)
        while let line = await reader.next() {
            said.append(line)
            guard !line.contains("listening on") else {
                reading = Task { await keep(reader) }
                return
            }
        }
        throw Failure(log: log)
    }

    /// A full pipe would stop the daemon.
    private func keep(_ reader: LineReader) async {
        while let line = await reader.next() { said.append(line) }
    }

    /// Connects to the daemon.
    public nonisolated func connect() async throws -> PixelBoopClient {
        try await PixelBoopClient.connect(to: socketPath)
    }

    /// Stops all of the daemon's threads where they are.
    public func suspend() { kill(process.processIdentifier, SIGSTOP) }

    /// Lets a suspended daemon go on.
    public func resume() { kill(process.processIdentifier, SIGCONT) }

    /// Sends a signal, unless the daemon has ended already, and waits for the end.
    ///
    /// - Returns: The exit code, or the signal that ended the process as a negative number.
    public func end(with signal: Int32) async -> Int32 {
        guard let exit else { return 0 }
        if !exit.hasHappened { kill(process.processIdentifier, signal) }
        await exit.wait()
        await reading?.value
        let status = process.terminationStatus
        return process.terminationReason == .exit ? status : -status
    }

    /// `PIXELBOOP_DAEMON`, or the one beside the tests, where the products of their build stand.
    public static var executable: URL {
        if let path = ProcessInfo.processInfo.environment["PIXELBOOP_DAEMON"] { return URL(fileURLWithPath: path) }
        return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "pixelboopd")
    }
}
