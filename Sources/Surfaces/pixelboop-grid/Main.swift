import ArgumentParser
import Configuration
import Controllers
import ServiceCommand
import SurfaceKit
import Wire

@main
struct Main: SurfaceCommand {
    static let configuration = CommandConfiguration(
        commandName: GridTable.program,
        abstract: "PixelBoop's grid on Launchpads and monome grids.",
        discussion: """
            Plays every Launchpad Mini MK3, X and Pro MK3 with ports in JACK, and every grid that serialosc offers, each \
            with its own page: a track and eight of its steps, its slots, and the scenes. \(precedence)
            """,
        version: ProgramVersion.current)

    static func main() async { await begin() }

    @OptionGroup var service: ServiceOptions<GridTable>

    func makeSurface(_ settings: GridSettings, in context: CompanionContext) throws -> PadSurface {
        try PadSurface(settings, in: context)
    }
}
