import ArgumentParser
import DaemonKit
import Foundation
import JackAudio
import Logging

/// The daemon's command line.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pixelboopd",
        abstract: "A step sequencer and synthesizer on a grid of pixels, for JACK.",
        version: Daemon.version)

    @Option(help: "The control socket. Default: $XDG_RUNTIME_DIR/pixelboop/control.sock.")
    var socket: String?

    @Option(help: "The JACK server to join. Default: $JACK_DEFAULT_SERVER, or JACK's own default.")
    var jackServer: String?

    @Option(help: "The name of the JACK client.")
    var clientName = "pixelboop"

    @Flag(help: "Leave the main ports unconnected on the very first start.")
    var noConnect = false

    @Option(help: "Where the session is kept. Default: $XDG_STATE_HOME/pixelboop.")
    var stateDir: String?

    @Option(help: "Where the library is kept. Default: $XDG_DATA_HOME/pixelboop.")
    var dataDir: String?

    @Option(help: "What is logged: trace, debug, info, notice, warning, error or critical.")
    var logLevel = Logger.Level.info

    func run() async throws {
        var logger = Logger(label: "pixelboopd") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = logLevel
        try await Daemon(settings, logger: logger).run()
    }

    private var settings: DaemonSettings {
        let base = BaseDirectories()
        return DaemonSettings(
            socketPath: socket ?? "\(base.runtime)/pixelboop/control.sock", ownsSocketDirectory: socket == nil,
            stateDirectory: stateDir ?? "\(base.state)/pixelboop",
            dataDirectory: dataDir ?? "\(base.data)/pixelboop",
            jack: JackConfiguration(
                serverName: jackServer, clientName: clientName, connectsAtFirst: !noConnect))
    }
}


/// The XDG base directories.
private struct BaseDirectories {
    private let environment = ProcessInfo.processInfo.environment

    var runtime: String { environment["XDG_RUNTIME_DIR"] ?? "/tmp/pixelboop-\(getuid())" }
    var state: String { environment["XDG_STATE_HOME"] ?? home + "/.local/state" }
    var data: String { environment["XDG_DATA_HOME"] ?? home + "/.local/share" }

    private var home: String { environment["HOME"] ?? "/" }
}
