import Configuration
import Logging
import ServiceCommand

/// The command line of a program that works beside the daemon until it is told to end: its flags, its configuration and
/// its work. Log, signals, the service manager and the end are taken care of.
public protocol CompanionCommand: ServiceCommand, Sendable {
    /// Works until the task is cancelled, then leaves everything as it should be, within half a second.
    ///
    /// - Throws: Why it cannot work at all, which ends the program.
    func work(_ settings: Values, in context: CompanionContext) async throws

    /// What the service manager shows of it.
    func status(_ settings: Values) -> String
}

/// What a program that works beside the daemon is given.
public struct CompanionContext: Sendable {
    /// Where messages for people go.
    public let logger: Logger
    /// The variables that the program was started with.
    public let environment: [String: String]

    /// A context.
    public init(logger: Logger, environment: [String: String] = [:]) {
        self.logger = logger
        self.environment = environment
    }
}

extension CompanionCommand {
    /// On which socket it plays.
    public func status(_ settings: Values) -> String { "plays on \(settings.socketPath)" }

    /// Works until SIGTERM or SIGINT.
    public func serve(_ sources: ConfigurationSources<Values.Key>) async throws {
        let loaded = try LoadedConfiguration<Values>(sources)
        let program = Companion(
            name: Values.Key.program, level: loaded.configuration.logLevel, environment: sources.environment)
        for warning in loaded.warnings { program.logger.warning("\(warning)") }
        try await program.run(status(loaded.configuration)) { context in
            try await work(loaded.configuration, in: context)
        }
    }
}

/// The command line of a surface's program: its flags, its configuration, and how to make the surface out of it. All else
/// is taken care of.
public protocol SurfaceCommand: CompanionCommand {
    /// What the program makes of the grid.
    associatedtype Device: Surface

    /// Makes the surface.
    ///
    /// - Throws: Why there can be none, which ends the program.
    func makeSurface(_ settings: Values, in context: CompanionContext) throws -> Device
}

extension SurfaceCommand {
    /// Keeps the surface connected to the daemon, and lets it work.
    public func work(_ settings: Values, in context: CompanionContext) async throws {
        let surface = try makeSurface(settings, in: context)
        let link = DaemonLink(name: Values.Key.program, socketPath: settings.socketPath, logger: context.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await link.follow(surface) }
            group.addTask { try await surface.run() }
            // Both go on until they are cancelled, unless the surface cannot work.
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
