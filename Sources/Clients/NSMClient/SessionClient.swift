import Configuration
import FoundationEssentials
import Glibc
import Logging
import PixelBoopClient
import ServiceCommand

/// A client of New Session Manager: it runs a `pixelboopd` for the open project.
///
/// Messages are handled one at a time, in the order in which they arrive.
public actor SessionClient {
    /// How long the manager may take to answer our announcement.
    private static let patience = Duration.seconds(10)
    /// How long the project's previous daemon may take to end.
    private static let overlap = Duration.seconds(2)
    /// After a daemon has run this long, its earlier failures no longer count.
    private static let proof = Duration.seconds(10)

    private enum Event: Sendable {
        case message(ManagerMessage)
        case noAnswer
        case ended(pid_t, ChildProcess.Ending)
        case restart(Project)
    }

    fileprivate struct Open {
        let project: Project
        let socketPath: String
        let name: SocketName?
        /// Nil after it has ended by itself, until it is restarted.
        var daemon: OwnDaemon?
        var start = ContinuousClock.now
        /// How often in a row it ended by itself.
        var failures = 0
    }

    private let settings: NSMSettings
    private let environment: [String: String]
    private let logger: Logger
    private let events: AsyncStream<Event>
    private let report: AsyncStream<Event>.Continuation
    private let backoff = Backoff()
    private var isWelcome = false
    private var open: Open?

    /// A client that does nothing until ``run()``.
    public init(_ settings: NSMSettings, in context: CompanionContext) {
        self.settings = settings
        environment = context.environment
        logger = context.logger
        (events, report) = AsyncStream.makeStream()
    }

    /// Announces itself, and does what the manager asks until the task is cancelled; then ends the daemon.
    ///
    /// - Throws: When there is no manager, or it refuses us.
    public func run() async throws {
        guard let url = environment["NSM_URL"], !url.isEmpty else { throw NoManager.unnamed }
        guard let address = ManagerAddress(url: url) else { throw NoManager.badAddress(url) }
        let link = try await ManagerLink.open(to: address) { [report] in report.yield(.message($0)) }
        await link.send(
            ClientMessage.announce(executable: CommandLine.arguments.first ?? NSMTable.program, process: getpid()))
        later(after: Self.patience, .noAnswer)
        do {
            for await event in events { try await handle(event, from: link) }
        } catch  where !(error is CancellationError) {
            await close()
            throw error
        } catch {
            // Cancelled while a project was being opened.
        }
        await close()
        await link.close()
    }

    /// Why the client cannot work.
    enum NoManager: Error, CustomStringConvertible {
        case unnamed
        case badAddress(String)
        case silent
        case refused(code: Int, reason: String)

        var description: String {
            switch self {
            case .unnamed: "NSM_URL is not set: this program must be started by a session manager"
            case .badAddress(let url): "NSM_URL: \(url) is not an address like osc.udp://localhost:15324/"
            case .silent: "the session manager at NSM_URL does not answer"
            case .refused(let code, let reason): "the session manager refuses: \(reason) (\(code))"
            }
        }
    }

    private func later(after time: Duration, _ event: Event) {
        Task { [report] in
            try await Task.sleep(for: time)
            report.yield(event)
        }
    }

    private func handle(_ event: Event, from link: ManagerLink) async throws {
        switch event {
        case .message(let message): try await handle(message, from: link)
        case .noAnswer: if !isWelcome { throw NoManager.silent }
        case .ended(let identifier, let ending): await ended(identifier, ending, link)
        case .restart(let project): await restart(project, link)
        }
    }

    private func handle(_ message: ManagerMessage, from link: ManagerLink) async throws {
        switch message {
        case .welcome(let manager):
            isWelcome = true
            logger.info("in a session of \(manager)")
        case .refusal(let code, let reason):
            guard isWelcome else { throw NoManager.refused(code: code, reason: reason) }
        case .open(let project):
            isWelcome = true
            try await answer(RequestAddress.open, link) { try await self.open(project) }
            if let open { await link.send(ClientMessage.message(open.hint, .note)) }
        case .save:
            try await answer(RequestAddress.save, link) { try await self.save() }
        case .malformed(let path, let expected):
            await link.send(ClientMessage.error(Refusal(.general, "\(path): expected \(expected)"), to: path))
        }
    }

    /// Carries a request out and answers it, unless the task was cancelled meanwhile.
    private func answer(_ path: String, _ link: ManagerLink, _ work: () async throws -> String) async throws {
        do {
            await link.send(ClientMessage.reply(to: path, try await work()))
        } catch let refusal as Refusal {
            logger.error("\(path): \(refusal)")
            await link.send(ClientMessage.error(refusal, to: path))
        }
    }

    // MARK: Requests

    private func open(_ project: Project) async throws -> String {
        await close()
        let socketPath =
            settings.socketPath.isEmpty
            ? SocketPath.session(project.clientID, environment: environment) : settings.socketPath
        try ProjectFolder(project: project, environment: environment).prepare(socketPath: socketPath)
        let daemon = try await start(project, at: socketPath)
        let name = SocketName(project.displayName, for: socketPath, environment: environment)
        open = Open(project: project, socketPath: socketPath, name: name, daemon: daemon)
        logger.info("opened \(project.path) as \(project.clientID)")
        guard let reason = await daemon.silence() else { return "open" }
        return "open, without sound: \(reason)"
    }

    /// Starts a daemon, retrying for a while: the daemon of a killed client may still be ending.
    private func start(_ project: Project, at socketPath: String) async throws -> OwnDaemon {
        let deadline = ContinuousClock.now + Self.overlap
        while true {
            do {
                return try await OwnDaemon.start(for: project, at: socketPath, environment: environment) { [report] in
                    report.yield(.ended($0, $1))
                }
            } catch let refusal as Refusal {
                guard ContinuousClock.now < deadline else { throw refusal }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    private func save() async throws -> String {
        guard let open else { throw Refusal(.noSessionOpen, "nothing is open") }
        guard let daemon = open.daemon else { throw Refusal(.notNow, "pixelboopd is restarting") }
        try await daemon.save()
        return "everything is on disk"
    }

    private func close() async {
        guard let open else { return }
        self.open = nil
        await open.daemon?.stop()
        open.name?.remove()
    }

    // MARK: A daemon that ends by itself

    private func ended(_ identifier: pid_t, _ ending: ChildProcess.Ending, _ link: ManagerLink) async {
        // Ignores a daemon that was asked to end.
        guard let daemon = open?.daemon, daemon.identifier == identifier else { return }
        open?.daemon = nil
        if let start = open?.start, ContinuousClock.now - start > Self.proof { open?.failures = 0 }
        await tryAgain(because: "\(ending)", link)
    }

    private func tryAgain(because reason: String, _ link: ManagerLink) async {
        guard let project = open?.project else { return }
        open?.failures += 1
        logger.error("\(reason); restarting it")
        await link.send(ClientMessage.message("\(reason); restarting it", .trouble))
        later(after: backoff.wait(afterFailures: open?.failures ?? 1), .restart(project))
    }

    private func restart(_ project: Project, _ link: ManagerLink) async {
        guard let open, open.project == project, open.daemon == nil else { return }
        do {
            self.open?.daemon = try await start(project, at: open.socketPath)
            self.open?.start = .now
        } catch {
            if !Task.isCancelled { await tryAgain(because: "\(error)", link) }
        }
    }
}

extension SessionClient.Open {
    /// How to reach the daemon, for people.
    fileprivate var hint: String {
        "pixelboop --session \(name == nil ? project.clientID : project.displayName); socket \(socketPath)"
    }
}
