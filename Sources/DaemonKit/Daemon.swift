import Engine
import JackAudio
import Logging
import Music
import NIOCore
import NIOPosix
import Scoring
import Server
import ServiceLifecycle
import Session
import Storage

/// The daemon: storage, JACK and the control socket, wired together.
///
/// The parts start in this order and stop in reverse: first clients hear `bye`, then the sound fades out and JACK is
/// left, then what is unsaved is written.
public struct Daemon: Sendable {
    /// The program's version.
    public static let version = "0.1.0"

    private let settings: DaemonSettings
    private let logger: Logger

    /// A daemon that does nothing until ``run()``.
    public init(_ settings: DaemonSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// Runs until SIGTERM or SIGINT.
    ///
    /// - Throws: Why it cannot run: another daemon uses the socket or the state directory, or the system is out of
    ///   threads or descriptors. A missing JACK server or a disk that fails is no reason.
    public func run() async throws {
        let kept = try KeptSession(in: settings.stateDirectory, logger: logger)
        let connections = ConnectionsFile(path: "\(settings.stateDirectory)/connections.json")
        let engine = Engine(score: Score(kept.document))
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let session = Session(
            executor: loop.executor, engine: engine, document: kept.document, audition: settings.audition)
        let jack = try JackSupervisor(engine: engine, configuration: jackConfiguration(connections))

        let server = try await ControlServer.start(
            listening, on: loop, session: session, services: fileServices(jack), logger: logger,
            didPass: { session.assumeIsolated { kept.keepChanges(of: $0) } })
        logger.info("listening on \(settings.socketPath)")

        let services: [any Service] = [
            StorageService(session: kept, server: server, logger: logger),
            JackService(jack: jack, server: server, connections: connections, logger: logger),
            ControlService(server: server),
        ]
        let group = ServiceGroup(
            configuration: .init(
                services: services.map { .init(service: $0) }, gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Self.quiet))
        try await group.run()
        logger.info("ended")
    }

    private var listening: ControlServer.Configuration {
        var configuration = ControlServer.Configuration(
            address: .path(settings.socketPath, ownsDirectory: settings.ownsSocketDirectory), version: Self.version)
        configuration.maximumClients = settings.maximumClients
        return configuration
    }

    private func jackConfiguration(_ connections: ConnectionsFile) -> JackConfiguration {
        var configuration = settings.jack
        configuration.connections = connections.stored
        return configuration
    }

    private func fileServices(_ jack: JackSupervisor) -> FileServices {
        let figures = ProcessFigures(jack: jack)
        return FileServices(
            library: Library(directory: "\(settings.dataDirectory)/patterns"), figuresNow: { figures.now })
    }

    /// The order in which services start and stop is of no interest to whoever runs the daemon.
    private static let quiet = Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
}
