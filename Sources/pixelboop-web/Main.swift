import ArgumentParser
import Configuration
import Foundation
import WebGateway

/// The gateway's command line.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pixelboop-web",
        abstract: "PixelBoop's grid as a page in a browser.",
        discussion: """
            Serves http://localhost:8044 on this machine; --lan lets tablets in the room in, by an address with a token. \
            Every setting is also a key of the configuration file (max-clients) and a variable of the environment \
            (PIXELBOOP_WEB_MAX_CLIENTS). Flags win over the environment, and that over the file.
            """,
        version: Program.version)

    @Option(help: "The configuration file, instead of $XDG_CONFIG_HOME or /etc/pixelboop/pixelboop-web.toml.")
    var config: String?

    @Flag(help: "Check the configuration, print it and exit.")
    var checkConfig = false

    @Flag(help: "Print the page's address, with a QR code on a terminal, and exit.")
    var printUrl = false

    @Flag(help: "Make another token, close the pages that had the one before, and exit.")
    var newToken = false

    @Option(help: "The daemon's control socket. Default: $XDG_RUNTIME_DIR/pixelboop/control.sock.")
    var socket: String?

    @Option(help: "An address to listen on, like 192.168.1.2:8044; may be given several times.")
    var listen: [String] = []

    @Flag(help: "Listen on all addresses, for tablets in the room; prints the address and a QR code.")
    var lan = false

    @Option(help: "A further name that browsers may use, as behind a proxy; may be given several times.")
    var host: [String] = []

    @Option(help: "A page of others that may connect, like https://studio.example.org; may be given several times.")
    var origin: [String] = []

    @Flag(help: "Ask everybody for the token, on this machine too.")
    var token = false

    @Option(help: "Where the token is kept. Default: $XDG_STATE_HOME/pixelboop/web-token.")
    var tokenFile: String?

    @Option(help: "The certificate for HTTPS, with those that signed it, in PEM.")
    var tlsCertificate: String?

    @Option(help: "The certificate's private key, in PEM.")
    var tlsKey: String?

    @Option(help: "Pages that may be connected at once, 1 to 4096. Default: 64.")
    var maxClients: String?

    @Option(help: "What is logged: trace, debug, info, notice, warning, error or critical. Default: info.")
    var logLevel: String?

    func run() async throws {
        // A browser that hangs up is an error of that write and not the end.
        signal(SIGPIPE, SIG_IGN)
        let sources = ConfigurationSources(flags: ConfigurationFlags(file: config, values: values))
        if checkConfig { return try check(sources) }
        do {
            let program = try Program(sources)
            if newToken { return try program.makeToken() }
            if printUrl { return try program.printAddress() }
            try await program.run()
        } catch let error as ConfigurationError {
            try fail(error, ExitCode(EX_CONFIG))
        } catch {
            try fail(error, .failure)
        }
    }

    private var values: [WebConfigurationKey: String] {
        func joined(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ",") }
        let given: [WebConfigurationKey: String?] = [
            .socket: socket, .listen: joined(listen), .network: lan ? "true" : nil, .host: joined(host),
            .origin: joined(origin), .token: token ? "true" : nil, .tokenFile: tokenFile, .certificate: tlsCertificate,
            .privateKey: tlsKey, .maxClients: maxClients, .logLevel: logLevel,
        ]
        return given.compactMapValues { $0 }
    }

    private func fail(_ error: any Error, _ code: ExitCode) throws {
        FileHandle.standardError.write(Data("pixelboop-web: \(error)\n".utf8))
        throw code
    }

    private func check(_ sources: ConfigurationSources<WebConfigurationKey>) throws {
        let result = ConfigurationCheck.run(sources, for: WebConfiguration.self)
        FileHandle.standardError.write(Data(result.complaints.utf8))
        print(result.report, terminator: "")
        if !result.isValid { throw ExitCode(EX_CONFIG) }
    }
}
