import Configuration
import Control
import Dispatch
import Engine
import Files
import FoundationEssentials
import Glibc
import Instrument
import InternalAudio
import JackAudio
import Logging
import Media
import Music
import NIOCore
import NIOPosix
import ServiceLifecycle
import Session
import Store
import SystemSupport
import Systemd
import UnixSignals
import UnixSocket
import Wire

/// The daemon: storage, audio driver and control socket, wired together.
///
/// The parts start in this order and stop in reverse: first clients are sent `bye`, then the sound fades out and the
/// JACK client closes, then unsaved changes are written.
public struct Daemon: Sendable {
    public static let version = ProgramVersion.current
    /// How long the daemon waits at its end for clients' file operations; exports have been cancelled by then, because
    /// their clients are gone.
    private static let lastFiles = Duration.milliseconds(200)
    /// How long `storage.flush` waits before it fails.
    private static let longestFlush = Duration.seconds(10)

    private let sources: ConfigurationSources
    private let loaded: LoadedConfiguration<DaemonTable>
    private let log: LogWriter

    private var configuration: DaemonSettings { loaded.settings }

    /// A daemon that does nothing until ``run()``.
    ///
    /// - Throws: `ConfigurationError` with all errors in the configuration.
    public init(_ sources: ConfigurationSources) throws {
        self.sources = sources
        loaded = try LoadedConfiguration(sources)
        log = LogWriter(
            style: LogStyle(descriptor: STDERR_FILENO, environment: sources.environment),
            level: loaded.settings.loggerLevel)
    }

    /// Runs until SIGTERM or SIGINT.
    ///
    /// - Returns: Whether the process must not run what libraries do at its exit: a call of JACK's library may hang, and
    ///   PipeWire's waits for it there (seen with 1.6.9).
    /// - Throws: If it cannot run: another daemon uses the socket or the state directory, or the system is out of
    ///   threads or descriptors; a missing JACK server or a failing disk is no reason. At the end, if the last changes
    ///   could not be stored.
    @discardableResult public func run() async throws -> Bool {
        // With a limit, in case the terminal or journal hangs.
        defer { log.flush(within: .milliseconds(200)) }
        // If there is no thread, the engine makes its tables itself.
        try? OrdinaryThread.start(name: "tables") { Engine.makeTables() }
        let logger = makeLogger()
        let clientLimit = ClientLimit(room: OpenFiles.raiseLimit())
        // Before anyone can know the daemon and signal it.
        let reloads = await UnixSignalsSequence(trapping: .sighup)
        let ends = await UnixSignalsSequence(trapping: .sigterm, .sigint)

        let kept = try KeptSession(
            in: .init(
                configuration.stateDirectory, runtimeDirectory: SystemSupport.directory(of: configuration.socketPath)),
            beginningWith: newDocument, logger: logger)
        let connections = ConnectionsFile(path: "\(configuration.stateDirectory)/connections.json")
        // The waiting for JACK's server, and the making of tables, take as long as the rest.
        let opening = configuration.driver == .jack ? JackOpening(jackConfiguration(connections)) : nil
        let engine = Engine(score: Score(kept.document))
        let takes = KeptTakes(configuration, of: engine, playing: kept.document, logger)
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let session = Session(
            executor: loop.executor, engine: engine, document: kept.document,
            audition: configuration.audition, driver: configuration.driver, listener: takes.keeper)
        let memory = MemoryKeeper()
        if let lock = memory.atStart { logger.info("\(lock)") }
        let driver = try driver(of: engine, connections, MemoryKeeping(memory, logger), opening)

        let kits = SampleKitLoader(KitLibrary(directory: configuration.kitDirectory))
        let figures = ProcessFigures(driver: driver)
        beginLibrary(logger)
        let files = fileServices(driver, figures, kits, takes, kept)
        let control = try await makeControl(on: loop, of: session, files, clientLimit, logger) {
            kept.keepChanges(of: $0)
            kits.look(at: $0)
            driver.leadTimebase($0.wantsTimebase)
        }
        let socket = try await listen(for: control, logger)
        let manager = ServiceManager(environment: sources.environment)
        let services: [any Service] = [
            StorageService(session: kept, control: control, logger: logger),
            TakeService(takes: takes, driver: driver, control: control, logger: logger),
            driverService(driver, control, connections, figures, manager, logger),
            KitService(kits: kits, control: control, logger: logger),
            ControlService(socket: socket, control: control),
            ReloadService(
                signals: reloads, sources: sources, running: configuration, control: control, session: session,
                manager: manager, log: log, logger: logger, clientLimit: clientLimit),
            ReadinessService(manager: manager),
            WatchdogService(
                manager: manager, watchdog: Watchdog(environment: sources.environment), loop: loop, session: session,
                driver: driver),
        ]
        defer {
            let end = ContinuousClock.now + Self.lastFiles
            if !takes.close(within: Self.lastFiles) { logger.warning("the end of the last take could not be stored") }
            files.drain(within: end - .now)
        }
        try await group(of: services, until: EndService(signals: ends)).run()
        logger.info("ended")
        return driver.hasLeftCall
    }

    /// The logger. It first logs the configuration's warnings and whether real-time scheduling is permitted.
    private func makeLogger() -> Logger {
        let logger = Logger(label: "pixelboopd") { _ in ServiceLogHandler(log) }
        for warning in loaded.warnings { logger.warning("\(warning)") }
        logger.info("\(SchedulingRights.current)")
        return logger
    }

    /// The control thread's part, which accepts no clients yet.
    ///
    /// - Parameter didPass: Called after each of the control thread's rounds.
    private func makeControl(
        on loop: any EventLoop, of session: Session, _ files: FileServices, _ limit: ClientLimit, _ logger: Logger,
        didPass: @escaping @Sendable (isolated Session) -> Void
    ) async throws -> ControlCore {
        var settings = ControlCore.Settings(version: Self.version)
        settings.maximumClients = limit.applied(to: configuration.maxClients, logger)
        return try await ControlCore(
            settings, on: loop, session: session, services: files, logger: logger,
            didPass: { session.assumeIsolated { didPass($0) } })
    }

    /// What a new session begins with.
    private var newDocument: Document {
        var document = Document.ofNewInstrument
        document.set(.syncSource, to: .choice(configuration.sync))
        return document
    }

    private func group(of services: [any Service], until end: EndService) -> ServiceGroup {
        let end = ServiceGroupConfiguration.ServiceConfiguration(
            service: end, successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "end")
        // By default the group names each service by a dump of its contents, which took a fifth of the start-up time.
        let named = services.map {
            ServiceGroupConfiguration.ServiceConfiguration(service: $0, serviceName: "\(type(of: $0))")
        }
        return ServiceGroup(configuration: .init(services: named + [end], logger: Self.quiet))
    }

    /// Accepts clients from now on.
    private func listen(for control: ControlCore, _ logger: Logger) async throws -> ControlSocket {
        let listening = listening
        let socket = try await ControlSocket(listening, for: control)
        switch listening.address {
        case .path(let path, _): logger.info("listening on \(path)")
        case .descriptor: logger.info("listening on the passed socket")
        }
        return socket
    }

    private var listening: ControlSocket.Configuration {
        let passed = PassedSocket.all(environment: sources.environment).first(where: \.isListening)
        let usual = DaemonSettings(directories: BaseDirectories(environment: sources.environment)).socketPath
        var listening = ControlSocket.Configuration(
            address: passed.map { .descriptor($0.descriptor) }
                ?? .path(configuration.socketPath, ownsDirectory: configuration.socketPath == usual))
        listening.access = SocketAccess(group: configuration.socketGroup?.id)
        return listening
    }

    /// Where renders are until clients have fetched them.
    private var cacheDirectory: String {
        BaseDirectories(environment: sources.environment).cache ?? "\(configuration.stateDirectory)/cache"
    }

    private func jackConfiguration(_ connections: ConnectionsFile) -> JackConfiguration {
        var jack = JackConfiguration(
            serverName: configuration.jackServer, clientName: configuration.clientName,
            connectsAtFirst: configuration.connectsOutputs, connections: connections.stored)
        // Set by tests, which wait for these timeouts.
        if let patience = sources.environment["PIXELBOOP_JACK_PATIENCE"].flatMap({ JackPatience($0) }) {
            jack.patience = patience
        }
        return jack
    }

    private func driver(
        of engine: Engine, _ connections: ConnectionsFile, _ memory: MemoryKeeping, _ opening: JackOpening?
    ) throws -> PlayingDriver {
        switch configuration.driver {
        case .jack:
            return .jack(
                try JackSupervisor(
                    engine: engine, configuration: jackConfiguration(connections), memory: memory, opening: opening))
        case .own:
            let driver = try InternalDriver(
                engine: engine, sampleRate: configuration.rate, period: configuration.period)
            // It has allocated everything that its thread uses, which has not been started.
            memory.lock()
            return .own(driver)
        }
    }

    private func driverService(
        _ driver: PlayingDriver, _ control: ControlCore, _ connections: ConnectionsFile, _ figures: ProcessFigures,
        _ manager: ServiceManager?, _ logger: Logger
    ) -> any Service {
        switch driver {
        case .jack(let jack):
            JackService(
                jack: jack, control: control, connections: connections, figures: figures, manager: manager,
                logger: logger)
        case .own(let driver):
            InternalDriverService(
                driver: driver, control: control, figures: figures, manager: manager, logger: logger)
        }
    }

    /// A new library starts with the mixes installed beside the program.
    private func beginLibrary(_ logger: Logger) {
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let prefix = program?.split(separator: "/").dropLast(2).joined(separator: "/") else { return }
        do {
            let mixes = Library(directory: "/\(prefix)/share/pixelboop/mixes")
            try Library(directory: configuration.libraryDirectory).begin(with: mixes)
        } catch {
            logger.warning("the mixes cannot be copied into the new library: \(error)")
        }
    }

    private func fileServices(
        _ driver: PlayingDriver, _ figures: ProcessFigures, _ kits: SampleKitLoader,
        _ takes: KeptTakes, _ kept: KeptSession
    ) -> FileServices {
        FileServices(
            library: Library(directory: configuration.libraryDirectory), kits: kits, takes: takes,
            cacheDirectory: cacheDirectory,
            flushSession: { await kept.flush(within: Self.longestFlush) }, figuresNow: figures.now,
            clockTimesNow: { driver.clockTimes }, secondsNow: { Int(Date().timeIntervalSince1970) })
    }

    /// Administrators do not care in which order services start and stop.
    private static let quiet = Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
}
