import ArgumentParser
import Configuration
import Foundation
import LinkBridge
import Logging
import ServiceCommand
import Systemd
import UnixSignals
import Wire

/// The command line of the program that joins Ableton Link sessions.
@main
struct Main: ServiceCommand {
    typealias Values = LinkConfiguration

    static let configuration = CommandConfiguration(
        commandName: LinkConfigurationKey.program,
        abstract: "PixelBoop in an Ableton Link session.",
        discussion: """
            Joins the Link session on the network, and holds it for pixelboopd to follow: pixelboop sync auto. Whoever joins \
            takes over the session's tempo and beats; while there is nobody else, the session is what pixelboopd plays. \
            pixelboop link shows peers and tempo. \(precedence)
            """,
        version: ProgramVersion.current)

    @OptionGroup var service: ServiceOptions<LinkConfigurationKey>

    @Option(
        help: ArgumentHelp("Join on a multiple of so many beats, 1 to 64. Default: 4.", valueName: "beats"))
    var quantum: String?

    @Flag(inversion: .prefixedNo, help: "Share starts and stops with the session. Default: on.")
    var startStop: Bool?

    var flags: [LinkConfigurationKey: String?] {
        [.quantum: quantum, .startStop: startStop.map { "\($0)" }]
    }

    func serve(_ sources: ConfigurationSources<LinkConfigurationKey>) async throws {
        let loaded = try LoadedConfiguration<LinkConfiguration>(sources)
        let configuration = loaded.configuration
        let writer = LogWriter(style: LogStyle(descriptor: STDERR_FILENO, environment: sources.environment))
        let level = Logger.Level(rawValue: configuration.logLevel.rawValue) ?? .info
        let logger = Logger(label: LinkConfigurationKey.program) { _ in ServiceLogHandler(writer, level: level) }
        for warning in loaded.warnings { logger.warning("\(warning)") }
        let ends = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        var settings = LinkBridge.Settings()
        settings.quantum = Double(configuration.quantum)
        settings.sharesStarts = configuration.sharesStarts
        let bridge = LinkBridge(try LinkSession(bpm: 120), settings, logger: logger)
        let running = Task { await bridge.run(socketPath: configuration.socketPath) }
        let manager = ServiceManager(environment: sources.environment)
        manager?.notify(.ready, .status("serving \(configuration.socketPath)"))
        for await _ in ends { break }
        manager?.notify(.stopping)
        running.cancel()
        await running.value
        logger.info("ended")
        writer.flush(within: .milliseconds(200))
    }
}
