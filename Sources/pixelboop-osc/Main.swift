import ArgumentParser
import Configuration
import Logging
import OSCBridge
import ServiceCommand
import Wire

/// The command line of the OSC bridge.
@main
struct Main: CompanionCommand {
    typealias Values = OSCSettings

    static let configuration = CommandConfiguration(
        commandName: OSCKey.program,
        abstract: "PixelBoop by Open Sound Control.",
        discussion: """
            Listens on 127.0.0.1:9044, by UDP and by TCP with SLIP. /pixelboop/tempo/set 120 calls a method, \
            /pixelboop/subscribe step state sends what happens for 30 s, /pixelboop/namespace lists all. \(precedence)
            """,
        version: ProgramVersion.current)

    @OptionGroup var service: ServiceOptions<OSCKey>

    @Option(
        help: ArgumentHelp(
            "An address to listen on instead, like 192.168.1.2:9044; may be given several times.", valueName: "address")
    )
    var listen: [String] = []

    @Option(help: ArgumentHelp("Senders that may be served at once, 1 to 1024. Default: 64.", valueName: "n"))
    var maxClients: String?

    var flags: [OSCKey: String?] {
        [.listen: listen.joinedValue, .maxClients: maxClients]
    }

    func work(_ settings: OSCSettings, in context: CompanionContext) async throws {
        let server = try await OSCServer.start(settings, logger: context.logger)
        context.logger.info("listening on \(Set(server.places).sorted().joined(separator: ", "))")
        context.ready("plays on \(settings.socketPath)")
        await untilCancelled()
        await server.shutdown()
    }
}
