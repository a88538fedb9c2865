import ArgumentParser
import Configuration
import LinkBridge
import ServiceCommand
import Wire

/// The command line of the program that joins Ableton Link sessions.
@main
struct Main: CompanionCommand {
    static let configuration = CommandConfiguration(
        commandName: LinkTable.program,
        abstract: "PixelBoop in an Ableton Link session.",
        discussion: """
            Joins the Link session on the network; pixelboop sync auto makes pixelboopd follow it. A peer that joins \
            adopts the session's tempo and beats; while there is no other peer, the session follows pixelboopd. \
            pixelboop link shows peers and tempo. \(precedence)
            """,
        version: ProgramVersion.current)

    static func main() async { await begin() }

    @OptionGroup var service: ServiceOptions<LinkTable>

    func work(_ settings: LinkSettings, in context: CompanionContext) async throws {
        var values = LinkBridge.Settings()
        values.quantum = Double(settings.quantum)
        values.sharesStarts = settings.sharesStarts
        let bridge = LinkBridge(try LinkSession(bpm: 120), values, logger: context.logger)
        context.ready("serving \(settings.socketPath)")
        await bridge.run(socketPath: settings.socketPath)
    }
}
