import Configuration
import FoundationEssentials
import Glibc
import Instrument
import Music
import PixelBoopClient

/// A project's own `pixelboopd`, which keeps everything below the project's path.
final class OwnDaemon: Sendable {
    /// How long a start may take; the daemon reads the session before clients can connect.
    static let startLimit = Duration.seconds(20)
    /// How long to wait for JACK before a project counts as open without sound.
    private static let audioLimit = Duration.seconds(3)
    /// How long the end may take; the daemon writes unsaved changes first.
    private static let endLimit = Duration.seconds(5)

    let socketPath: String
    private let child: ChildProcess

    private init(_ child: ChildProcess, _ socketPath: String) {
        self.child = child
        self.socketPath = socketPath
    }

    /// Its PID.
    var identifier: pid_t { child.identifier }

    /// Starts a daemon; returns when clients can connect.
    ///
    /// - Parameters:
    ///   - program: The daemon to start; by default the one beside this program or in `PATH`.
    ///   - limit: How long it may take until clients can connect.
    ///   - onEnd: Called with the PID of the daemon that ended, and how it ended.
    /// - Throws: ``Refusal``, or `CancellationError`.
    static func start(
        for project: Project, at socketPath: String, environment: [String: String], program: String? = nil,
        within limit: Duration = startLimit, onEnd: @escaping @Sendable (pid_t, ChildProcess.Ending) -> Void
    ) async throws -> OwnDaemon {
        // A daemon that already listens there would be mistaken for the one that is being started.
        guard (try? await PixelBoopClient.connect(to: socketPath)) == nil else {
            throw Refusal(.notNow, "another pixelboopd is at \(socketPath)")
        }
        let program = try program ?? executable(environment)
        let arguments = [
            "--client-name=\(project.clientID)", "--state-dir=\(project.path)/state", "--data-dir=\(project.path)",
            "--no-connect", "--socket=\(socketPath)", "--parent=\(getpid())",
        ]
        let unserved = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_PID", "LISTEN_FDS", "NSM_URL"]
        let (ending, ended) = AsyncStream<ChildProcess.Ending>.makeStream()
        let child: ChildProcess
        do {
            child = try await ChildProcess.start(
                program, arguments, environment: environment.filter { !unserved.contains($0.key) }
            ) { child, ending in
                ended.yield(ending)
                onEnd(child.identifier, ending)
            }
        } catch {
            throw Refusal(.general, "\(error)")
        }
        let daemon = OwnDaemon(child, socketPath)
        let outcome = await outcome(ofStartAt: socketPath, ending, within: limit)
        if case .ready = outcome { return daemon }
        await daemon.stop()
        try Task.checkCancellation()
        switch outcome {
        case .ended(let ending): throw Refusal(.badProject, "\(ending)")
        case .ready, .late: throw Refusal(.general, "pixelboopd did not start within \(limit)")
        }
    }

    private enum StartOutcome: Sendable {
        case ready
        case ended(ChildProcess.Ending)
        /// Too late, or the task was cancelled.
        case late
    }

    /// Waits for a connection, the daemon's end, or the limit.
    private static func outcome(
        ofStartAt socketPath: String, _ ending: AsyncStream<ChildProcess.Ending>, within limit: Duration
    ) async -> StartOutcome {
        let outcome = await NSMClient.within(limit) {
            await withTaskGroup(of: StartOutcome?.self) { group in
                group.addTask { await firstConnection(to: socketPath) ? .ready : nil }
                group.addTask {
                    for await ending in ending { return .ended(ending) }
                    return nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? nil
            }
        }
        return outcome ?? .late
    }

    /// The daemon beside this program, or else the one in `PATH`.
    private static func executable(_ environment: [String: String]) throws(Refusal) -> String {
        let here = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        let folders = [here] + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let candidates = folders.map { "\($0)/\(DaemonTable.program)" }
        guard let program = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw Refusal(.general, "there is no \(DaemonTable.program) in \(here) or in PATH")
        }
        return program
    }

    /// Waits for a connection; false when cancelled.
    private static func firstConnection(to path: String) async -> Bool {
        let backoff = Backoff(first: .milliseconds(10), longest: .milliseconds(100))
        for await link in PixelBoopClient.connections(to: path, backoff: backoff) {
            if case .connected = link { return true }
        }
        return false
    }

    /// Waits until the daemon has joined JACK, or has found that there is none.
    ///
    /// - Returns: Why there is no sound; nil when there is.
    func silence() async -> String? {
        let audio = await within(Self.audioLimit) { [socketPath] in try? await Self.audio(at: socketPath) }
        guard let audio else { return "JACK does not answer" }
        return audio.status == .running ? nil : audio.reason
    }

    private static func audio(at path: String) async throws -> AudioState? {
        let client = try await PixelBoopClient.connect(to: path)
        defer { client.close() }
        for try await event in try await client.subscribe(to: [.state]) {
            if case .state(let snapshot) = event, snapshot.state.audio.status != .off { return snapshot.state.audio }
        }
        return nil
    }

    /// Waits until everything is on disk.
    ///
    /// - Throws: ``Refusal``.
    func save() async throws(Refusal) {
        do {
            let client = try await PixelBoopClient.connect(to: socketPath)
            defer { client.close() }
            try await client.flush()
        } catch {
            throw Refusal(.general, "\(error)")
        }
    }

    /// Stops it; returns when it has ended.
    func stop() async {
        child.signal(SIGTERM)
        let impatience = Task { [child] in
            try await Task.sleep(for: Self.endLimit)
            child.signal(SIGKILL)
        }
        await child.ended()
        impatience.cancel()
    }
}

/// The result of some work; nil if it takes too long or is cancelled.
private func within<Result: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Result?
) async -> Result? {
    await withTaskGroup(of: Result?.self) { group in
        group.addTask(operation: work)
        group.addTask {
            try? await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
