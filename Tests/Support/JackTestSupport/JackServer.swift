import Foundation
import Glibc

/// A `jackd` with the dummy driver, under its own name: tests never meet a server that is already running.
///
/// However the test process ends, the server does not outlive it.
public final class JackServer {
    /// Why no server could be started.
    public enum Failure: Error, CustomStringConvertible {
        case didNotStart(log: String)
        case noNameLeft

        /// In words, with the server's output.
        public var description: String {
            switch self {
            case .didNotStart(let log): "jackd did not start:\n\(log)"
            case .noNameLeft: "as many test servers are running as JACK allows"
            }
        }
    }

    /// The name for `JackServerName` or `JACK_DEFAULT_SERVER`.
    public let name: String
    /// Frames per second, from the next start on.
    public var sampleRate: Int
    /// Frames per period, from the next start on.
    public var period: Int
    /// Whether the server waits for its clients instead of leaving late ones out of a period, from the next start on: a
    /// busy machine then makes it late, but no period is missing in a recording. It does not recover from clients that
    /// are killed.
    public var isSynchronous = true
    /// Where the server's output is appended, from the next start on; nil for nowhere.
    public var log: URL?

    /// Whether servers here give their clients real-time scheduling.
    public static var isRealtime: Bool { Scheduling.isRealtimePermitted }

    private let claim: NameClaim
    private var process: ServerProcess?
    private var leavesMemory = false

    /// A server that has not been started.
    ///
    /// - Parameters:
    ///   - sampleRate: Frames per second.
    ///   - period: Frames per period.
    public init(sampleRate: Int = 48000, period: Int = 256) throws {
        claim = try NameClaim()
        name = claim.name
        self.sampleRate = sampleRate
        self.period = period
    }

    /// Starts the server and waits until it accepts clients.
    public func start() async throws {
        precondition(process == nil, "the server is running")
        var options = ["--name", name, "--port-max", "128"]
        if isSynchronous { options += ["--sync", "--timeout", "5000"] }
        options += [
            Scheduling.isRealtimePermitted ? "--realtime" : "--no-realtime", "-d", "dummy", "--rate", "\(sampleRate)",
            "--period", "\(period)",
        ]
        MetadataDatabase.removeLeftOver()
        process = try await ServerProcess.launch(name: name, options: options, log: log)
    }

    /// Ends the server as its owner would; returns when it is gone.
    public func stop() async {
        resume()
        await end(with: SIGTERM)
    }

    /// Kills the server; returns when it is gone.
    public func kill() async {
        leavesMemory = true
        await end(with: SIGKILL)
        MetadataDatabase.removeIfUnused()
    }

    /// Stops all of the server's threads where they are.
    public func suspend() {
        process?.signal(SIGSTOP)
    }

    /// Lets a suspended server continue.
    public func resume() {
        process?.signal(SIGCONT)
    }

    private func end(with number: Int32) async {
        guard let process else { return }
        process.signal(number)
        await process.waitForExit()
        self.process = nil
    }

    /// Ends the server and removes what it left in shared memory.
    func tearDown() async {
        if leavesMemory, process == nil {
            // Only a server that starts under the same name frees what a killed one left behind.
            try? await start()
        }
        await stop()
        ServerProcess.removeSockets(of: name)
    }
}

extension JackServer {
    /// Runs a test body with a server, and ends the server whatever happens.
    ///
    /// libjack holds one server per process: bodies run one at a time, in any number of tests and suites.
    ///
    /// - Parameters:
    ///   - sampleRate: Frames per second.
    ///   - period: Frames per period.
    ///   - isSynchronous: Whether the server waits for its clients.
    ///   - isStarted: Whether the server runs when the body begins.
    ///   - limit: When to cancel the body; the wait for its turn does not count.
    ///   - body: The test.
    public static func with<Result: Sendable>(
        sampleRate: Int = 48000, period: Int = 256, isSynchronous: Bool = true, isStarted: Bool = true,
        limit: Duration = .seconds(60),
        _ body: @escaping @Sendable (JackServer) async throws -> Result
    ) async throws -> Result {
        try await JackTurn.take {
            let test = Task {
                let server = try JackServer(sampleRate: sampleRate, period: period)
                server.isSynchronous = isSynchronous
                do {
                    if isStarted { try await server.start() }
                    let result = try await body(server)
                    await server.tearDown()
                    return result
                } catch {
                    await server.tearDown()
                    throw error
                }
            }
            let watchdog = Task {
                try await Task.sleep(for: limit)
                test.cancel()
            }
            defer { watchdog.cancel() }
            return try await test.value
        }
    }
}
