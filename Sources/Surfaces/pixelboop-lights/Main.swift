import ArgumentParser
import Configuration
import Lights
import ServiceCommand
import SurfaceKit
import Wire

/// The command line of a wall of lights.
@main
struct Main: SurfaceCommand {
    static let configuration = CommandConfiguration(
        commandName: LightsTable.program,
        abstract: "PixelBoop's grid on a wall of lights.",
        discussion: """
            Sends the picture to controllers that speak DDP, Art-Net or sACN, several at once; --preview shows in the \
            terminal what is sent. \(precedence)
            """,
        version: ProgramVersion.current)

    static func main() async { await begin() }

    @OptionGroup var service: ServiceOptions<LightsTable>

    func makeSurface(_ settings: LightsSettings, in context: CompanionContext) throws -> LightsSurface {
        try LightsSurface(settings, in: context)
    }
}
