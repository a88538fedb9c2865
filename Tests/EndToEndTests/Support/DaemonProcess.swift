import Foundation
import PixelBoopClient
import Testing

/// A built `pixelboopd`, run with everything that it writes in a directory of its own.
actor DaemonProcess {
    nonisolated let directory: URL
    private let jackServer: String
    private var process = Process()
    /// A daemon that has not been started, for a JACK server of the given name.
    init(jackServer: String) throws {
        self.jackServer = jackServer
        directory = FileManager.default.temporaryDirectory.appending(path: "pixelboop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        if process.isRunning { process.interrupt() }
        try? FileManager.default.removeItem(at: directory)
    }

    nonisolated var socketPath: String { directory.appending(path: "run/control.sock").path }

    /// Starts the daemon; returns when clients can connect.
    func start() async throws {
        process = Process()
        process.executableURL = Self.executable
        process.arguments = [
            "--socket", socketPath, "--state-dir", directory.appending(path: "state").path,
            "--data-dir", directory.appending(path: "data").path, "--jack-server", jackServer,
        ]
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        // It goes on reading: a full pipe would stop the daemon.
        let reader = LineReader(pipe.fileHandleForReading)
        var log = ""
        while let line = await reader.next() {
            log += line + "\n"
            if line.contains("listening on") { return }
        }
        throw DaemonFailure(log: log)
    }

    nonisolated func connect() async throws -> PixelBoopClient {
        try await PixelBoopClient.connect(to: socketPath)
    }

    /// Sends a signal and waits for the end.
    ///
    /// - Returns: The exit code, or the signal that ended the process as a negative number.
    func end(with signal: Int32) async -> Int32 {
        let process = process
        return await withCheckedContinuation { continuation in
            process.terminationHandler = { process in
                let status = process.terminationStatus
                continuation.resume(returning: process.terminationReason == .exit ? status : -status)
            }
            kill(process.processIdentifier, signal)
        }
    }

    /// The products of a build stand beside the tests.
    static var executable: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "pixelboopd")
    }
}

/// The daemon ended before clients could connect.
struct DaemonFailure: Error, CustomStringConvertible {
    let log: String
    var description: String { "pixelboopd did not start:\n\(log)" }
}
