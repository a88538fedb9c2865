import ArgumentParser
import Configuration
import DaemonKit
import Foundation

/// The daemon's command line.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pixelboopd",
        abstract: "A step sequencer and synthesizer on a grid of pixels, for JACK.",
        discussion: """
            Every setting is also a key of the configuration file (max-clients) and a variable of the environment \
            (PIXELBOOP_MAX_CLIENTS). Flags win over the environment, and that over the file.
            """,
        version: Daemon.version)

    @Option(help: "The configuration file, instead of $XDG_CONFIG_HOME or /etc/pixelboop/pixelboopd.toml.")
    var config: String?

    @Flag(help: "Check the configuration, print it and exit.")
    var checkConfig = false

    @Option(help: "The control socket. Default: $XDG_RUNTIME_DIR/pixelboop/control.sock.")
    var socket: String?

    @Option(help: "A group whose members may connect too.")
    var socketGroup: String?

    @Option(help: "Clients that may be connected at once, 1 to 65536. Default: 1024.")
    var maxClients: String?

    @Option(help: "The JACK server to join. Default: $JACK_DEFAULT_SERVER, or JACK's own default.")
    var jackServer: String?

    @Option(help: "The name of the JACK client. Default: pixelboop.")
    var clientName: String?

    @Flag(inversion: .prefixedNo, help: "Connect the main ports to the first playback ports on the very first start.")
    var connect: Bool?

    @Option(help: "Where the session is kept. Default: $XDG_STATE_HOME/pixelboop.")
    var stateDir: String?

    @Option(help: "Where the library is kept. Default: $XDG_DATA_HOME/pixelboop.")
    var dataDir: String?

    @Option(help: "When touches let notes sound: stopped, always or never. Default: stopped.")
    var audition: String?

    @Option(help: "What is logged: trace, debug, info, notice, warning, error or critical. Default: info.")
    var logLevel: String?

    func run() async throws {
        let sources = ConfigurationSources(flags: ConfigurationFlags(file: config, values: values))
        if checkConfig { return try check(sources) }
        // A client that hangs up, or a file that may not grow, is an error of that write and not the end.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        do {
            try await Daemon(sources).run()
        } catch let error as ConfigurationError {
            try fail(error, ExitCode(EX_CONFIG))
        } catch {
            try fail(error, .failure)
        }
    }

    private var values: [ConfigurationKey: String] {
        let given: [ConfigurationKey: String?] = [
            .socket: socket, .socketGroup: socketGroup, .maxClients: maxClients, .jackServer: jackServer,
            .clientName: clientName, .connect: connect.map { "\($0)" }, .stateDirectory: stateDir,
            .dataDirectory: dataDir, .audition: audition, .logLevel: logLevel,
        ]
        return given.compactMapValues { $0 }
    }

    private func fail(_ error: any Error, _ code: ExitCode) throws {
        FileHandle.standardError.write(Data("pixelboopd: \(error)\n".utf8))
        throw code
    }

    private func check(_ sources: ConfigurationSources<ConfigurationKey>) throws {
        let result = ConfigurationCheck.run(sources, for: Configuration.self)
        FileHandle.standardError.write(Data(result.complaints.utf8))
        print(result.report, terminator: "")
        if !result.isValid { throw ExitCode(EX_CONFIG) }
    }
}
