import Foundation
import Glibc
import SystemSupport
import TestSupport

/// A running `jackd`, watched by a shell that ends it when this process ends, however that happens.
final class ServerProcess: Sendable {
    private let server: pid_t
    private let shell: ChildProgram

    /// Starts the server, and waits for its end. A server that shuts down leaves nothing in shared memory, so it is
    /// killed only if it does not; the shell stays its parent to the end, as JACK mistakes a dead server for a running
    /// one until its parent has waited for it. A server may still be ending when the next one of its name is started,
    /// which JACK would refuse: shell and server hold a lock as long as they live.
    private static let script = """
        exec 3<&0 4>>"$LOCK"
        flock 4
        jackd "$@" </dev/null >>"$LOG" 2>&1 &
        server=$!
        { read -r; kill -CONT $server; kill -TERM $server; sleep 1; kill -KILL $server; } <&3 4>&- >/dev/null 2>&1 &
        watch=$!
        echo $server
        exec >/dev/null
        wait $server
        kill -KILL $watch
        """

    private init(name: String, _ arguments: [String], log: URL) async throws {
        shell = try ChildProgram(
            URL(filePath: "/bin/bash"), ["-c", Self.script, "jackd"] + arguments,
            variables: ["LOG": log.path, "LOCK": NameClaim.file(name, "server.lock")], endsWithInput: true
        ).start()
        guard let server = await shell.line().flatMap({ pid_t($0) }) else {
            throw JackServer.Failure.didNotStart(log: "no shell")
        }
        self.server = server
    }

    /// Starts a server and waits until it accepts clients.
    ///
    /// If an earlier test process left one, waits for its end: its shell is just about to end it.
    ///
    /// - Parameters:
    ///   - options: The server's command line.
    ///   - log: Where its output is appended; nil for nowhere.
    static func launch(name: String, options: [String], log: URL?) async throws -> ServerProcess {
        let socket = socketPath(of: name)
        let file = log ?? FileManager.default.temporaryDirectory.appending(path: "\(name).log")
        defer { if log == nil { try? FileManager.default.removeItem(at: file) } }
        var words = "a server of the same name is still running"
        for _ in 1...3 where await wait(for: .seconds(5), until: { !UnixAddress.isServed(socket) }) {
            if let server = try await attempt(name, options, socket, file, &words) { return server }
            reportRetry("jackd did not start")
        }
        throw JackServer.Failure.didNotStart(log: words)
    }

    private static func attempt(
        _ name: String, _ options: [String], _ socket: String, _ file: URL, _ words: inout String
    ) async throws -> ServerProcess? {
        let server = try await ServerProcess(name: name, options, log: file)
        let shell = server.shell
        _ = await wait(for: .seconds(15)) { !shell.isRunning || UnixAddress.isServed(socket) }
        if shell.isRunning, UnixAddress.isServed(socket) { return server }
        words = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return nil
    }

    /// Polls until a condition of a socket is met, as nothing reports it; false if it is not met within the limit.
    private static func wait(for limit: Duration, until isTrue: @escaping @Sendable () -> Bool) async -> Bool {
        await onThread {
            let deadline = ContinuousClock.now + limit
            while !isTrue() {
                guard ContinuousClock.now < deadline else { return false }
                usleep(10_000)
            }
            return true
        }
    }

    /// Sends the server a signal, unless it has ended.
    func signal(_ number: Int32) {
        if shell.isRunning { kill(server, number) }
    }

    /// Returns when the server has ended.
    func waitForExit() async {
        await shell.waitForExit()
    }

    /// Where jackd2 accepts the clients of a server.
    private static func socketPath(of name: String) -> String {
        "\(directory)/jack_\(name)_\(getuid())_0"
    }

    /// Removes the sockets and semaphores that a killed server left.
    static func removeSockets(of name: String) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for file in files where file.hasPrefix("jack_") && file.contains("_\(name)_") {
            try? FileManager.default.removeItem(atPath: "\(directory)/\(file)")
        }
    }

    private static let directory = "/dev/shm"
}
