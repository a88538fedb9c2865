import ArgumentParser
import Configuration
import LinkBridge
import ServiceCommand
import Wire

/// The command line of the program that joins Ableton Link sessions.
@main
struct Main: CompanionCommand {
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

    func work(_ settings: LinkConfiguration, in context: CompanionContext) async throws {
        var values = LinkBridge.Settings()
        values.quantum = Double(settings.quantum)
        values.sharesStarts = settings.sharesStarts
        let bridge = LinkBridge(try LinkSession(bpm: 120), values, logger: context.logger)
        context.ready("serving \(settings.socketPath)")
        await bridge.run(socketPath: settings.socketPath)
    }
}
