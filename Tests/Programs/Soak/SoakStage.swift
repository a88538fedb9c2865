import DaemonTestSupport
import Foundation
import Instrument
import JSON
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Wire

/// The daemon, on a JACK server or without one, in a directory of its own.
final class SoakStage {
    /// The daemon did not do what was expected.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let jackServer: String
    private let driver: String
    private let directory: TemporaryDirectory
    /// Where the session and the library are stored.
    private let home: TemporaryDirectory
    private var daemon: ChildProgram?
    /// A client that asks for figures, and is not one of the players.
    private var observer: PixelBoopClient?

    /// - Parameter home: Where the session and the library are stored, perhaps by an earlier daemon.
    init(jackServer: String, driver: String = "jack", home: TemporaryDirectory) throws {
        self.jackServer = jackServer
        self.driver = driver
        directory = try TemporaryDirectory()
        self.home = home
    }

    func path(_ name: String) -> String { directory.file(name) }

    /// Where the daemon listens.
    var socketPath: String { path("run/control.sock") }
    var jackLog: URL { URL(filePath: path("jackd.log")) }

    /// Starts the daemon; returns when it answers.
    func start() async throws {
        try RandomKits.write(to: URL(filePath: home.file("data")))
        try configure("stopped")
        let daemon = try start(
            "pixelboopd",
            [
                "--socket", socketPath, "--state-dir", home.file("state"), "--data-dir", home.file("data"),
                "--jack-server", jackServer, "--driver", driver, "--sync", "auto", "--config", path("pixelboopd.toml"),
            ])
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

    private func configure(_ audition: String) throws {
        try directory.write("audition = \"\(audition)\"\n", to: "pixelboopd.toml")
    }

    /// Lets the daemon reread its configuration, with a change in it.
    func reload(using random: inout some RandomNumberGenerator) throws {
        guard let daemon else { throw failure("there is no daemon") }
        try configure(["stopped", "always", "never"].randomElement(using: &random) ?? "never")
        daemon.send(SIGHUP)
    }

    /// Starts a program that is built beside this one, with its own log.
    func start(_ program: String, _ arguments: [String]) throws -> ChildProgram {
        try start(program, arguments, log: "\(program).log")
    }

    private func start(_ program: String, _ arguments: [String], log: String) throws -> ChildProgram {
        let descriptor = open(path(log), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("\(log) cannot be written") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return try ChildProgram(
            .product(program), arguments, variables: ["XDG_CACHE_HOME": path("cache")],
            output: .written(file, errors: file)
        ).start()
    }

    /// The port that a program listens on, according to its log.
    func port(of program: String) async throws -> Int {
        var log = GrowingFile(path: path("\(program).log"))
        for _ in 0..<300 {
            let line = log.newLines().first { $0.contains("listening on ") }
            if let port = line?.split(separator: ":").last.flatMap({ Int($0) }) { return port }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw failure("\(program) does not listen")
    }

    /// Starts a keyboard at the daemon's MIDI input.
    func startKeyboard(seed: UInt64) throws -> ChildProgram {
        try start("pixelboop-soak", ["keys", jackServer, "\(seed)"], log: "keys.log")
    }

    /// Starts a bare JACK client beside the daemon; returns when JACK calls it.
    func startWatch() async throws -> ChildProgram {
        var log = GrowingFile(path: path("watch.log"))
        _ = log.newLines()
        let watch = try start("pixelboop-soak", ["watch", jackServer], log: "watch.log")
        while log.newLines().isEmpty {
            guard watch.isRunning else { throw failure("the bare client did not start") }
            try await Task.sleep(for: .milliseconds(100))
        }
        return watch
    }

    /// Returns when JACK calls the daemon for audio.
    func awaitSound() async throws {
        try await client().waitForState { $0.audio.status == .running }
    }

    /// A client that is not one of the players.
    func client() throws -> PixelBoopClient {
        guard let observer else { throw failure("there is no daemon") }
        return observer
    }

    func statistics() async throws -> Statistics { try await client().statistics() }

    func figures() throws -> SoakFigures {
        guard let daemon, let figures = try? SoakFigures(of: daemon.identifier) else {
            throw failure("the daemon is gone")
        }
        return figures
    }

    /// The figures when the daemon has released its clients' resources, or after some seconds if it does not.
    func settledFigures(like before: SoakFigures) async throws -> SoakFigures {
        for _ in 0..<50 where try figures().use.descriptors > before.use.descriptors {
            try await Task.sleep(for: .milliseconds(100))
        }
        return try figures()
    }

    /// A client of the daemon, which has stopped and follows nothing.
    func quietClient() async throws -> PixelBoopClient {
        let client = try client()
        try await client.setSync([.syncSource: .choice(SyncSource.own)])
        try await client.stop()
        try await client.waitForState { $0.transport.state == .stopped }
        return client
    }

    /// What the daemon must restore when it is started again.
    struct Contents: Equatable, Sendable {
        let pattern: JSONValue
        let settings: ParameterValues
        let history: HistoryCounts
    }

    func contents() async throws -> Contents {
        let state = try await client().state().state
        return Contents(pattern: try await client().patternJSON(), settings: state.settings, history: state.history)
    }

    /// Whether it has the contents that it must continue with; nil for any.
    func has(_ contents: Contents?) async throws -> Bool {
        guard let contents else { return true }
        return try await self.contents() == contents
    }

    /// The contents after an edit, as soon as that is old enough to survive a kill.
    func editedContents() async throws -> Contents {
        try await client().clearPattern()
        try await client().setNote(.rhythm, step: 3, note: 7, .accent)
        try await Task.sleep(for: Self.longestLoss)
        return try await contents()
    }

    /// Lets the daemon open the files that it keeps open from the first edit and the first take on.
    func openStorage() async throws {
        _ = try await editedContents()
        try await openTakes()
    }

    /// Lets the daemon open the file of its takes.
    func openTakes() async throws { _ = try await client().takes() }

    /// service.md: what is found after a kill existed at most 100 ms before. This is twice that.
    static let longestLoss = Duration.milliseconds(200)

    /// Stops the daemon like a pause of the machine, or lets it continue.
    func pause(_ isPaused: Bool) {
        daemon?.send(isPaused ? SIGSTOP : SIGCONT)
    }

    /// Ends the daemon.
    ///
    /// - Returns: Its exit status, or the signal that ended it as a negative number.
    func end(with signal: Int32) async -> Int32? { await daemon?.end(with: signal) }

    private func failure(_ what: String) -> Failure {
        let log = (try? String(contentsOfFile: path("pixelboopd.log"), encoding: .utf8)) ?? ""
        return Failure(description: "\(what); its log ends:\n\(log.suffix(4000))")
    }
}
