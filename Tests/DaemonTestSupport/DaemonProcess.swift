import Foundation
import JackTestSupport
import PixelBoopClient
import TestSupport

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
    private let flags: [String]
    private let environment: [String: String]
    private let openFiles: Int?
    private var process = Process()
    private var exit: ProcessExit?
    private var said: [String] = []
    private var listeners: [(text: String, continuation: CheckedContinuation<Bool, Never>)] = []
    private var reading: Task<Void, Never>?

    /// The variable that shortens a daemon's waits for a server that hangs, for tests that wait them out.
    public static let littlePatience = ["PIXELBOOP_JACK_PATIENCE": "stall=500 neglect=2500"]

    /// A daemon that has not been started, for a JACK server of the given name.
    ///
    /// - Parameters:
    ///   - parent: Where its directory is made.
    ///   - flags: Flags besides those for server and directory; over these they win.
    ///   - environment: Variables beside those of this process.
    ///   - openFiles: How many descriptors it may have, as many as this process unless given.
    public init(
        jackServer: String, in parent: URL = FileManager.default.temporaryDirectory, flags: [String] = [],
        environment: [String: String] = [:], openFiles: Int? = nil
    ) throws {
        self.jackServer = jackServer
        self.flags = flags
        self.environment = environment
        self.openFiles = openFiles
        // Short: the socket below it has an address of 107 bytes at most.
        directory = parent.appending(path: "pb-\(UUID().uuidString.prefix(8))")
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

    /// The JACK connections that the daemon keeps, but for ports that have none; nil when it keeps nothing yet.
    public nonisolated var rememberedConnections: [String: Set<String>]? {
        guard let data = try? Data(contentsOf: stateDirectory.appending(path: "connections.json")) else { return nil }
        return try? JSONDecoder().decode([String: Set<String>].self, from: data).filter { !$0.value.isEmpty }
    }

    /// What the daemon has said since its last start.
    public var log: String { said.joined(separator: "\n") }

    /// The system's number for the daemon that was started last.
    public var identifier: pid_t { process.processIdentifier }

    /// Starts the daemon; returns when clients can connect.
    ///
    /// - Parameter listener: A listening socket to pass to it as systemd does.
    public func start(passing listener: FileHandle? = nil) async throws {
        process = Process()
        process.executableURL = Self.executable
        process.arguments =
            [
                "--socket", socketPath, "--state-dir", stateDirectory.path,
                "--data-dir", directory.appending(path: "data").path, "--jack-server", jackServer,
            ] + flags
        if let openFiles { run(in: #"ulimit -n \#(openFiles); exec "$0" "$@""#) }
        if let listener { pass(listener) }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardError = pipe
        // Should it outlive the tests, what it inherited from them would keep those who read their output waiting.
        process.standardOutput = FileHandle.nullDevice
        exit = ProcessExit(of: process)
        try process.run()
        said = []
        let reader = LineReader(pipe.fileHandleForReading)
        // To the end: a full pipe would stop the daemon. Weakly: a test that throws lets go of its daemon, which ends it.
        reading = Task { [weak self] in
            while let line = await reader.next() { await self?.keep(line) }
            await self?.answer(false) { _ in true }
        }
        guard await says("listening on") else { throw Failure(log: log) }
    }

    /// Has the daemon started by a shell, which gives it a socket as descriptor 3 (sd_listen_fds(3)).
    private func pass(_ listener: FileHandle) {
        run(in: #"exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@""#)
        process.standardInput = listener
    }

    /// Has the program started by a line of shell, as `"$0" "$@"`.
    private func run(in script: String) {
        process.arguments = ["-c", script, process.executableURL?.path ?? ""] + (process.arguments ?? [])
        process.executableURL = URL(filePath: "/bin/bash")
    }

    private func keep(_ line: String) {
        said.append(line)
        answer(true) { line.contains($0) }
    }

    private func answer(_ isSaid: Bool, where isConcerned: (String) -> Bool) {
        let concerned = listeners.filter { isConcerned($0.text) }
        listeners.removeAll { isConcerned($0.text) }
        for listener in concerned { listener.continuation.resume(returning: isSaid) }
    }

    /// Waits until the daemon has said something since it was started.
    ///
    /// - Returns: Whether it did, before it ended.
    public func says(_ text: String) async -> Bool {
        if said.contains(where: { $0.contains(text) }) { return true }
        return await withCheckedContinuation { listeners.append((text, $0)) }
    }

    /// Connects to the daemon.
    public nonisolated func connect() async throws -> PixelBoopClient {
        try await PixelBoopClient.connect(to: socketPath)
    }

    /// Stops all of the daemon's threads where they are.
    public func suspend() { kill(process.processIdentifier, SIGSTOP) }

    /// Lets a suspended daemon go on.
    public func resume() { kill(process.processIdentifier, SIGCONT) }

    /// Sends a signal.
    public func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

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
        return .product("pixelboopd")
    }
}
