import Foundation
import Glibc

/// A running `jackd`, which dies with the test process.
final class ServerProcess: Sendable {
    private let identifier: pid_t
    private let guardian: Guardian
    private let exit: ProcessExit

    private init(identifier: pid_t, exit: ProcessExit) throws {
        self.identifier = identifier
        self.exit = exit
        guardian = try Guardian(of: identifier)
    }

    deinit {
        signal(SIGKILL)
    }

    /// Starts a server and waits until it accepts clients.
    static func launch(name: String, sampleRate: Int, period: Int) async throws -> ServerProcess {
        let socket = try SocketWatch(path: socketPath(of: name))
        let log = FileManager.default.temporaryDirectory.appending(path: "\(name).log")
        try Data().write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Synchronous: a busy machine makes the server late, but no client's period is left out of a recording.
        process.arguments = [
            "jackd", "--name", name, "--port-max", "128", "--sync", "--timeout", "5000",
            Scheduling.isRealtimePermitted ? "--realtime" : "--no-realtime",
            "-d", "dummy", "--rate", "\(sampleRate)", "--period", "\(period)",
        ]
        let logHandle = try FileHandle(forWritingTo: log)
        defer { try? logHandle.close() }
        process.standardOutput = logHandle
        process.standardError = logHandle
        process.standardInput = FileHandle.nullDevice
        let exit = ProcessExit(of: process)
        try process.run()
        let server = try ServerProcess(identifier: process.processIdentifier, exit: exit)
        guard await socket.waitUntilConnectable(orExit: exit) else {
            throw JackServer.Failure.didNotStart(log: (try? String(contentsOf: log, encoding: .utf8)) ?? "")
        }
        return server
    }

    /// Sends a signal, unless the process has ended.
    func signal(_ number: Int32) {
        if !exit.hasHappened { kill(identifier, number) }
    }

    /// Returns when the process has ended.
    func waitForExit() async {
        await exit.wait()
        guardian.dismiss()
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
