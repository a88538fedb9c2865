import Configuration
import Dispatch
import Glibc
import Logging
import SystemSupport
import Systemd
import UnixSignals

/// A program that runs beside the daemon: its log, signals, service manager and ending.
struct Companion {
    /// How long its work may take to end: the whole process must end within 1 s.
    private static let patience = DispatchTimeInterval.milliseconds(800)

    let name: String
    let logger: Logger
    private let environment: [String: String]
    private let writer: LogWriter

    init(name: String, level: LogLevel, environment: [String: String]) {
        self.name = name
        self.environment = environment
        let writer = LogWriter(
            style: LogStyle(descriptor: STDERR_FILENO, environment: environment),
            level: Logger.Level(rawValue: level.rawValue) ?? .info)
        logger = Logger(label: name) { _ in ServiceLogHandler(writer) }
        self.writer = writer
    }

    /// The signals that ask the program to end. A closed terminal is one of them, unless the program was started to
    /// outlive it, as by nohup.
    private static var endings: [UnixSignal] { [.sigterm, .sigint] + (HangUp.isIgnored ? [] : [.sighup]) }

    /// Works until one of these signals arrives, or the work is done.
    func run(_ work: @escaping @Sendable (CompanionContext) async throws -> Void) async throws {
        // Before anyone can know of the program and signal it.
        let ends = await UnixSignalsSequence(trapping: Self.endings)
        let manager = ServiceManager(environment: environment)
        let context = CompanionContext(logger: logger, environment: environment) {
            manager?.notify(.ready, .status($0))
        }
        defer { writer.flush(within: .milliseconds(100)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work(context) }
            group.addTask { for await _ in ends { break } }
            try await group.next()
            manager?.notify(.stopping)
            endAnyway()
            group.cancelAll()
            try await group.waitForAll()
        }
        logger.info("ended")
    }

    /// Ends the process even if its work hangs, so that the machine can shut down.
    private func endAnyway() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [logger, writer] in
            logger.error("some work did not end on time")
            writer.flush(within: .milliseconds(100))
            _exit(EXIT_FAILURE)
        }
    }
}
