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

    static func main() async { await begin() }

    @OptionGroup var service: ServiceOptions<DaemonTable>

    @Option(help: ArgumentHelp("End when the process with this ID, which started it, ends.", valueName: "pid"))
    var parent: Int32?

    func serve(_ sources: ConfigurationSources) async throws {
        // At a file's size limit the write must fail, not the process end.
        signal(SIGXFSZ, SIG_IGN)
        if let parent { try await ParentProcess.follow(parent) }
        if try await Daemon(sources).run() { _exit(EXIT_SUCCESS) }
    }
}
