import DaemonTestSupport
import Foundation
import JackTestSupport
import PixelBoopClient
import Wire

/// The daemon, on a JACK server and in a directory of its own.
final class Stage {
    /// The daemon did not do what was waited for.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let jackServer: String
    private let directory: URL
    private var daemon: Child?
    /// Asks for figures, and is not among the players.
    private var observer: PixelBoopClient?

    init(jackServer: String) throws {
        self.jackServer = jackServer
        directory = FileManager.default.temporaryDirectory.appending(path: "pixelboop-soak-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: directory)
    }

    func path(_ name: String) -> String { directory.appending(path: name).path }

    var socketPath: String { path("run/control.sock") }
    var jackLog: URL { directory.appending(path: "jackd.log") }

    /// Starts the daemon; returns when it answers.
    func start() async throws {
        try RandomKits.write(to: directory.appending(path: "data"))
        let daemon = try await Child.start(
            .product("pixelboopd"),
            [
                "--socket", socketPath, "--state-dir", path("state"), "--data-dir", path("data"), "--jack-server",
                jackServer,
            ], log: path("pixelboopd.log"))
        self.daemon = daemon
        for await link in PixelBoopClient.connections(to: socketPath) {
            if case .connected(let client) = link {
                observer = client
                return
            }
            guard daemon.isRunning else { break }
        }
        throw failure("the daemon did not start")
    }

    /// Starts a bare JACK client beside the daemon; returns when JACK calls it.
    func startWatch() async throws -> Child {
        var log = GrowingFile(path: path("watch.log"))
        _ = log.newLines()
        let watch = try await Child.start(
            .product("pixelboop-soak"), ["watch", jackServer], log: path("watch.log"))
        while log.newLines().isEmpty {
            guard watch.isRunning else { throw failure("the bare client did not start") }
            try await Task.sleep(for: .milliseconds(100))
        }
        return watch
    }

    /// Returns when JACK calls the daemon for audio.
    func awaitSound() async throws {
        guard let observer else { throw failure("there is no daemon") }
        try await observer.waitForState { $0.audio.status == .running }
    }

    func statistics() async throws -> Statistics {
        guard let observer else { throw failure("there is no daemon") }
        return try await observer.statistics()
    }

    func figures() throws -> ProcessFigures {
        guard let daemon, let figures = try? ProcessFigures(of: daemon.identifier) else {
            throw failure("the daemon is gone")
        }
        return figures
    }

    /// The figures once the daemon has let go of what its clients held, or after some seconds if it does not.
    func settledFigures(like before: ProcessFigures) async throws -> ProcessFigures {
        for _ in 0..<50 where try figures().use.descriptors > before.use.descriptors {
            try await Task.sleep(for: .milliseconds(100))
        }
        return try figures()
    }

    /// Ends the daemon as its owner would.
    ///
    /// - Returns: Its exit status, or the signal that ended it as a negative number.
    func end() async -> Int32? { await daemon?.end(with: SIGTERM) }

    private func failure(_ what: String) -> Failure {
        let log = (try? String(contentsOfFile: path("pixelboopd.log"), encoding: .utf8)) ?? ""
        return Failure(description: "\(what); its log ends:\n\(log.suffix(4000))")
    }
}
