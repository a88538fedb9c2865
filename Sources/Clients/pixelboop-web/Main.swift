import ArgumentParser
import Configuration
import Glibc
import ServiceCommand
import Wire

/// The gateway's command line.
@main
struct Main: CompanionCommand {
    static let configuration = CommandConfiguration(
        commandName: WebTable.program,
        abstract: "PixelBoop's grid as a page in a browser.",
        discussion: """
            Serves http://localhost:8044 on this machine; --lan lets tablets in the room connect, by an address with a \
            token. \(precedence)
            """,
        version: ProgramVersion.current)

    static func main() async { await begin() }

    @OptionGroup var service: ServiceOptions<WebTable>

    @Flag(help: "Print the page's address, with a QR code on a terminal, and exit.")
    var printUrl = false

    @Flag(help: "Make a new token, close the pages that used the old one, and exit.")
    var newToken = false

    func serve(_ sources: ConfigurationSources) async throws {
        guard newToken || printUrl else { return try await workUntilEnded(sources) }
        var sources = sources
        // These flags do not need the daemon, so they work for root, for whom sudo sets no runtime directory.
        if (sources.environment["XDG_RUNTIME_DIR"] ?? "").isEmpty {
            sources.environment["XDG_RUNTIME_DIR"] = "/run/user/\(getuid())"
        }
        let program = GatewayProgram(try LoadedConfiguration<WebTable>(sources).settings)
        try newToken ? program.makeToken() : program.printAddress()
    }

    func work(_ settings: WebSettings, in context: CompanionContext) async throws {
        try await GatewayProgram(settings).run(in: context)
    }
}
