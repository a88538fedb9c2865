import ArgumentParser
import Configuration
import DaemonKit
import Foundation
import ServiceCommand

/// The daemon's command line.
@main
struct Main: ServiceCommand {
    typealias Values = Configuration

    static let configuration = CommandConfiguration(
        commandName: ConfigurationKey.program,
        abstract: "A step sequencer and synthesizer on a grid of pixels, for JACK.",
        discussion: precedence,
        version: Daemon.version)

    @OptionGroup var service: ServiceOptions<ConfigurationKey>

    @Option(help: ArgumentHelp("A group whose members may connect too.", valueName: "group"))
    var socketGroup: String?

    @Option(help: ArgumentHelp("Clients that may be connected at once, 1 to 65536. Default: 1024.", valueName: "n"))
    var maxClients: String?

    @Option(
        help: ArgumentHelp(
            "The JACK server to join. Default: $JACK_DEFAULT_SERVER, or JACK's own default.", valueName: "name"))
    var jackServer: String?

    @Option(help: ArgumentHelp("The name of the JACK client. Default: pixelboop.", valueName: "name"))
    var clientName: String?

    @Flag(inversion: .prefixedNo, help: "Connect the main ports to the first playback ports on the very first start.")
    var connect: Bool?

    @Option(help: ArgumentHelp("Where the session is kept. Default: $XDG_STATE_HOME/pixelboop.", valueName: "folder"))
    var stateDir: String?

    @Option(help: ArgumentHelp("Where the library is kept. Default: $XDG_DATA_HOME/pixelboop.", valueName: "folder"))
    var dataDir: String?

    @Option(
        help: ArgumentHelp(
            "When touches let notes sound: stopped, always or never. Default: stopped.", valueName: "when"))
    var audition: String?

    @Option(
        help: ArgumentHelp(
            "What a new session follows: internal, jack, midi, timeline or auto. Default: internal.",
            valueName: "source"))
    var sync: String?

    @Option(help: ArgumentHelp("End when the process of this number does, which started it.", valueName: "pid"))
    var parent: Int32?

    var flags: [ConfigurationKey: String?] {
        [
            .socketGroup: socketGroup, .maxClients: maxClients, .jackServer: jackServer, .clientName: clientName,
            .connect: connect.map { "\($0)" }, .stateDirectory: stateDir, .dataDirectory: dataDir,
            .audition: audition, .sync: sync,
        ]
    }

    func serve(_ sources: ConfigurationSources<ConfigurationKey>) async throws {
        // A file that may not grow is an error of that write and not the end.
        signal(SIGXFSZ, SIG_IGN)
        if let parent { try ParentProcess.follow(parent) }
        try await Daemon(sources).run()
    }
}
