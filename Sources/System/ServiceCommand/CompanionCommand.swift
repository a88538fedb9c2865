import Configuration
import Logging

/// The command line of a program that runs beside the daemon until it is asked to end: its flags, its configuration and
/// its work. The rest (log, signals, service manager, ending) is common to all of them.
public protocol CompanionCommand: ServiceCommand, Sendable {
    /// Works until the task is cancelled, then cleans up within half a second.
    ///
    /// - Throws: Why it cannot work at all, which ends the program.
    func work(_ settings: Settings<Table>, in context: CompanionContext) async throws
}

/// What a program that runs beside the daemon is given.
public struct CompanionContext: Sendable {
    /// Where to log.
    public let logger: Logger
    /// The environment that the program was started with.
    public let environment: [String: String]
    /// Tells the service manager that the program is ready, and its status.
    public let ready: @Sendable (String) -> Void

    public init(
        logger: Logger, environment: [String: String] = [:], ready: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.logger = logger
        self.environment = environment
        self.ready = ready
    }
}

extension CompanionCommand {
    /// Works until a signal asks the program to end.
    public func serve(_ sources: ConfigurationSources) async throws { try await workUntilEnded(sources) }

    /// Works until a signal asks the program to end; for programs that have other modes, too.
    public func workUntilEnded(_ sources: ConfigurationSources) async throws {
        let loaded = try LoadedConfiguration<Table>(sources)
        let program = Companion(
            name: Table.program, level: loaded.settings.logLevel, environment: sources.environment)
        for warning in loaded.warnings { program.logger.warning("\(warning)") }
        try await program.run { context in try await work(loaded.settings, in: context) }
    }
}

/// Returns when the task is cancelled.
public func untilCancelled() async {
    let (never, continuation) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    withExtendedLifetime(continuation) {}
}
