import Foundation
import JackTestSupport
import PixelBoopClient
import TestSupport

/// A built `pixelboopd`, run with everything that it writes in a directory of its own.
public actor DaemonProcess {
    /// The daemon ended before clients could connect.
    public struct Failure: Error, CustomStringConvertible {
        public let log: String

        public var description: String { "pixelboopd did not start:\n\(log)" }
    }

    public nonisolated let directory: URL
    private let jackServer: String
    private let flags: [String]
    private let environment: [String: String]
    private let openFiles: Int?
    private var program: ChildProgram?

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
    public var log: String { program?.wholeLog ?? "" }

    /// The system's number for the daemon that was started last.
    public var identifier: pid_t { program?.identifier ?? 0 }

    /// Starts the daemon; returns when clients can connect.
    ///
    /// - Parameter listener: A listening socket to pass to it as systemd does.
    public func start(passing listener: FileHandle? = nil) async throws {
        var command =
            [
                Self.executable.path, "--socket", socketPath, "--state-dir", stateDirectory.path,
                "--data-dir", directory.appending(path: "data").path, "--jack-server", jackServer,
            ] + flags
        if let openFiles { command = ["/bin/bash", "-c", #"ulimit -n \#(openFiles); exec "$0" "$@""#] + command }
        if listener != nil {
            // A shell gives it the socket as descriptor 3 (sd_listen_fds(3)).
            let script = #"exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@""#
            command = ["/bin/bash", "-c", script] + command
        }
        let program = try ChildProgram(
            URL(filePath: command[0]), Array(command.dropFirst()), variables: environment, input: listener)
        self.program = try program.start()
        guard await says("listening on") else { throw Failure(log: log) }
    }

    /// Waits until the daemon has said something since it was started.
    ///
    /// - Returns: Whether it did, before it ended.
    public func says(_ text: String) async -> Bool { await program?.hasSaid(text) ?? false }

    public nonisolated func connect() async throws -> PixelBoopClient {
        try await PixelBoopClient.connect(to: socketPath)
    }

    /// Stops all of the daemon's threads where they are.
    public func suspend() { send(SIGSTOP) }

    /// Lets a suspended daemon go on.
    public func resume() { send(SIGCONT) }

    public func send(_ signal: Int32) { program?.send(signal) }

    /// Sends a signal, unless the daemon has ended already, and waits for the end.
    ///
    /// - Returns: The exit code, or the signal that ended the process as a negative number.
    public func end(with signal: Int32) async -> Int32 { await program?.end(with: signal) ?? 0 }

    /// `PIXELBOOP_DAEMON`, or the one beside the tests, where the products of their build stand.
    public static var executable: URL {
        if let path = ProcessInfo.processInfo.environment["PIXELBOOP_DAEMON"] { return URL(fileURLWithPath: path) }
        return .product("pixelboopd")
    }
}
