import ArgumentParser
import Configuration
import ServiceCommand
import Wire

/// The gateway's command line.
@main
struct Main: CompanionCommand {
    typealias Values = WebConfiguration

    static let configuration = CommandConfiguration(
        commandName: WebConfigurationKey.program,
        abstract: "PixelBoop's grid as a page in a browser.",
        discussion: """
            Serves http://localhost:8044 on this machine; --lan lets tablets in the room in, by an address with a token. \
            \(precedence)
            """,
        version: ProgramVersion.current)

    @OptionGroup var service: ServiceOptions<WebConfigurationKey>

    @Flag(help: "Print the page's address, with a QR code on a terminal, and exit.")
    var printUrl = false

    @Flag(help: "Make another token, close the pages that had the one before, and exit.")
    var newToken = false

    @Option(
        help: ArgumentHelp(
            "An address to listen on, like 192.168.1.2:8044; may be given several times.", valueName: "address"))
    var listen: [String] = []

    @Flag(help: "Listen on all addresses, for tablets in the room; prints the address and a QR code.")
    var lan = false

    @Option(
        help: ArgumentHelp(
            "A further name that browsers may use, as behind a proxy; may be given several times.", valueName: "name"))
    var host: [String] = []

    @Option(
        help: ArgumentHelp(
            "A page of others that may connect, like https://studio.example.org; may be given several times.",
            valueName: "origin"))
    var origin: [String] = []

    @Flag(help: "Ask everybody for the token, on this machine too.")
    var token = false

    @Option(
        help: ArgumentHelp("Where the token is kept. Default: $XDG_STATE_HOME/pixelboop/web-token.", valueName: "file"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("The certificate for HTTPS, with those that signed it, in PEM.", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, in PEM.", valueName: "file"))
    var tlsKey: String?

    @Option(help: ArgumentHelp("Pages that may be connected at once, 1 to 4096. Default: 64.", valueName: "n"))
    var maxClients: String?

    var flags: [WebConfigurationKey: String?] {
        [
            .listen: listen.joinedValue, .network: lan ? "true" : nil, .host: host.joinedValue,
            .origin: origin.joinedValue,
            .token: token ? "true" : nil, .tokenFile: tokenFile, .certificate: tlsCertificate, .privateKey: tlsKey,
            .maxClients: maxClients,
        ]
    }

    func serve(_ sources: ConfigurationSources<WebConfigurationKey>) async throws {
        guard newToken || printUrl else { return try await workUntilEnded(sources) }
        let program = Program(try LoadedConfiguration<WebConfiguration>(sources).configuration)
        try newToken ? program.makeToken() : program.printAddress()
    }

    func work(_ settings: WebConfiguration, in context: CompanionContext) async throws {
        try await Program(settings).run(in: context)
    }
}
