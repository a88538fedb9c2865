import ArgumentParser
import Configuration
import NSMClient
import ServiceCommand
import Wire

/// The command line of the session manager's client.
@main
struct Main: CompanionCommand {
    static let configuration = CommandConfiguration(
        commandName: NSMTable.program,
        abstract: "PixelBoop in a session of New Session Manager or RaySession.",
        discussion: """
            The session manager starts it. For each session it runs a separate pixelboopd, which stores everything \
            in the session's folder; pixelboop --session NAME plays it. \(precedence)
            """,
        version: ProgramVersion.current)

    static func main() async { await begin() }

    @OptionGroup var service: ServiceOptions<NSMTable>

    func work(_ settings: NSMSettings, in context: CompanionContext) async throws {
        context.ready("waiting for a session")
        try await SessionClient(settings, in: context).run()
    }
}
