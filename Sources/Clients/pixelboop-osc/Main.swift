import ArgumentParser
import Configuration
import Logging
import OSCBridge
import ServiceCommand
import Wire

/// The command line of the OSC bridge.
@main
struct Main: CompanionCommand {
    static let configuration = CommandConfiguration(
        commandName: OSCTable.program,
        abstract: "PixelBoop by Open Sound Control.",
        discussion: """
            Listens on 127.0.0.1:9044, by UDP and by TCP with SLIP. /pixelboop/tempo/set 120 calls a method, \
            /pixelboop/subscribe step state sends events for 30 s, /pixelboop/namespace lists all. \(precedence)
            """,
        version: ProgramVersion.current)

    static func main() async { await begin() }

    @OptionGroup var service: ServiceOptions<OSCTable>

    func work(_ settings: OSCSettings, in context: CompanionContext) async throws {
        let server = try await OSCServer.start(settings, logger: context.logger)
        context.logger.info("listening on \(Set(server.places).sorted().joined(separator: ", "))")
        context.ready("playing on \(settings.socketPath)")
        await untilCancelled()
        await server.shutdown()
    }
}
