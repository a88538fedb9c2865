import ArgumentParser
import Configuration
import GridSurface
import ServiceCommand
import Surface
import Wire

/// The command line of the controllers' program.
@main
struct Main: SurfaceCommand {
    typealias Values = GridSettings

    static let configuration = CommandConfiguration(
        commandName: GridKey.program,
        abstract: "PixelBoop's grid on Launchpads and monome grids.",
        discussion: """
            Plays every Launchpad Mini MK3, X and Pro MK3 that JACK has ports of, and every grid that serialosc offers, each \
            with a page of its own: a track and eight of its steps, its slots, and the scenes. \(precedence)
            """,
        version: ProgramVersion.current)

    @OptionGroup var service: ServiceOptions<GridKey>

    @Option(help: ArgumentHelp("The JACK server. Default: JACK's own default.", valueName: "name"))
    var jackServer: String?

    @Option(help: ArgumentHelp("serialosc's port on this machine. Default: 12002.", valueName: "port"))
    var serialosc: String?

    @Flag(help: "Let pages follow the step that plays.")
    var follow = false

    var flags: [GridKey: String?] {
        [.jackServer: jackServer, .serialosc: serialosc, .follow: follow ? "true" : nil]
    }

    func makeSurface(_ settings: GridSettings, in context: CompanionContext) throws -> PadSurface {
        try PadSurface(settings, in: context)
    }
}
