import ArgumentParser
import Configuration
import DaemonKit
import FoundationEssentials
import Glibc
import ServiceCommand

/// The daemon's command line.
@main
struct Main: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: DaemonTable.program,
        abstract: "A step sequencer and synthesizer on a grid of pixels, for JACK and without it.",
        discussion: precedence,
        version: Daemon.version)

    @OptionGroup var service: ServiceOptions<DaemonTable>

    @Option(help: ArgumentHelp("End when the process that started it ends, which has this number.", valueName: "pid"))
    var parent: Int32?

    func serve(_ sources: ConfigurationSources) async throws {
        // A file at its size limit must fail the write, and not end the process.
        signal(SIGXFSZ, SIG_IGN)
        if let parent { try ParentProcess.follow(parent) }
        try await Daemon(sources).run()
    }
}
