import Foundation
import JackTestSupport
import PixelBoopClient
import TestSupport

/// A built `pixelboopd` that writes everything into a directory of its own.
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
    private let wrapper: [String]
    private var program: ChildProgram?

    /// The variable that shortens a daemon's timeouts for a hanging server, for tests that wait for them.
    public static let littlePatience = ["PIXELBOOP_JACK_PATIENCE": "stall=500 neglect=2500"]

    /// A daemon, not yet started, for a JACK server with the given name.
    ///
    /// - Parameters:
    ///   - parent: Where its directory is created.
    ///   - flags: Flags after those for server and directory, which they override.
    ///   - environment: Variables in addition to those of this process.
    ///   - openFiles: Its limit of open files; by default this process's.
    ///   - wrapper: A command that becomes the program named after it, as with other limits.
    public init(
        jackServer: String, in parent: URL = FileManager.default.temporaryDirectory, flags: [String] = [],
        environment: [String: String] = [:], openFiles: Int? = nil, wrapper: [String] = []
    ) throws {
        self.jackServer = jackServer
        self.flags = flags
        self.environment = environment
        self.openFiles = openFiles
        self.wrapper = wrapper
        // Short, because a socket's path may have at most 107 bytes.
        directory = parent.appending(path: "pb-\(UUID().uuidString.prefix(8))")
        let runtime = directory.appending(path: "run")
        try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// The `$XDG_RUNTIME_DIR` with which programs find the daemon by themselves.
    public nonisolated var runtimeDirectory: String { directory.appending(path: "run").path }

    /// Where clients connect.
    public nonisolated var socketPath: String { "\(runtimeDirectory)/pixelboop/control.sock" }

    /// Where the session is kept.
    public nonisolated var stateDirectory: URL { directory.appending(path: "state") }

    /// Where renders in the background are.
    public nonisolated var cacheDirectory: URL { directory.appending(path: "cache/pixelboop") }

    /// The JACK connections that the daemon stored, except ports without any; nil if it has stored nothing yet.
    public nonisolated var rememberedConnections: [String: Set<String>]? {
        guard let data = try? Data(contentsOf: stateDirectory.appending(path: "connections.json")) else { return nil }
        return try? JSONDecoder().decode([String: Set<String>].self, from: data).filter { !$0.value.isEmpty }
    }

    /// What the daemon has logged since its last start.
    public var log: String { program?.wholeLog ?? "" }

    /// The process ID of the last started daemon.
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
        if !wrapper.isEmpty { command = ["/usr/bin/env"] + wrapper + command }
        if let openFiles { command = ["/bin/bash", "-c", #"ulimit -n \#(openFiles); exec "$0" "$@""#] + command }
        if listener != nil {
            // A shell gives it the socket as descriptor 3 (sd_listen_fds(3)).
            let script = #"exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@""#
            command = ["/bin/bash", "-c", script] + command
        }
        let variables = ["XDG_CACHE_HOME": directory.appending(path: "cache").path]
            .merging(environment) { $1 }
        let program = try ChildProgram(
            URL(filePath: command[0]), Array(command.dropFirst()), variables: variables, input: listener)
        self.program = try program.start()
        guard await says("listening on") else { throw Failure(log: log) }
    }

    /// Waits until the daemon has logged a text since its start.
    ///
    /// - Returns: Whether it did before it ended.
    public func says(_ text: String) async -> Bool { await program?.hasSaid(text) ?? false }

    public nonisolated func connect() async throws -> PixelBoopClient {
        try await PixelBoopClient.connect(to: socketPath)
    }

    /// Stops all of the daemon's threads.
    public func suspend() { send(SIGSTOP) }

    /// Lets a suspended daemon continue.
    public func resume() { send(SIGCONT) }

    public func send(_ signal: Int32) { program?.send(signal) }

    /// Sends a signal, unless the daemon has already ended, and waits for the end.
    ///
    /// - Returns: The exit code, or the signal that ended the process as a negative number.
    public func end(with signal: Int32) async -> Int32 { await program?.end(with: signal) ?? 0 }

    /// The program named by `PIXELBOOP_DAEMON`, or the one built along with the tests.
    public static var executable: URL {
        if let path = ProcessInfo.processInfo.environment["PIXELBOOP_DAEMON"] { return URL(fileURLWithPath: path) }
        return .product("pixelboopd")
    }
}
