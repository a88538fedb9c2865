import ArgumentParser
import Configuration
import Lights
import ServiceCommand
import Surface
import Wire

/// The command line of a wall of lights.
@main
struct Main: SurfaceCommand {
    typealias Values = LightsSettings

    static let configuration = CommandConfiguration(
        commandName: LightsKey.program,
        abstract: "PixelBoop's grid on a wall of lights.",
        discussion: """
            Sends the picture to controllers that speak DDP, Art-Net or sACN, several at once; --preview shows in the \
            terminal what goes out. \(precedence)
            """,
        version: ProgramVersion.current)

    @OptionGroup var service: ServiceOptions<LightsKey>

    @Option(
        help: ArgumentHelp("A controller that speaks DDP, as WLED does; may be given several times.", valueName: "host")
    )
    var ddp: [String] = []

    @Option(help: ArgumentHelp("A controller that speaks Art-Net; may be given several times.", valueName: "host"))
    var artnet: [String] = []

    @Option(
        help: ArgumentHelp(
            "A controller that speaks sACN, or multicast for all; may be given several times.", valueName: "host"))
    var sacn: [String] = []

    @Option(help: ArgumentHelp("The cells to show. Default: 0,0,44,24.", valueName: "x,y,w,h"))
    var crop: String?

    @Option(
        help: ArgumentHelp(
            "Lights across and down, before turning; each is the mean of its cells. Default: one light a cell.",
            valueName: "WxH"))
    var scale: String?

    @Option(help: ArgumentHelp("How rows are wired: rows or serpentine. Default: rows.", valueName: "layout"))
    var layout: String?

    @Option(
        help: ArgumentHelp(
            "Where the first light is: top-left, top-right, bottom-left or bottom-right. Default: top-left.",
            valueName: "corner"))
    var origin: String?

    @Option(
        help: ArgumentHelp("Turn the picture clockwise by 0, 90, 180 or 270. Default: 0.", valueName: "degrees"))
    var rotate: String?

    @Option(help: ArgumentHelp("From colours to linear light, 1 to 4. Default: 2.2.", valueName: "exponent"))
    var gamma: String?

    @Option(help: ArgumentHelp("0 to 1. Default: 1.", valueName: "part"))
    var brightness: String?

    @Option(help: ArgumentHelp("Pictures a second at most, 1 to 240. Default: 40.", valueName: "n"))
    var fps: String?

    @Option(
        help: ArgumentHelp(
            "The first universe. Default: 0 with Art-Net, 1 with sACN.", valueName: "n"))
    var universe: String?

    @Option(help: ArgumentHelp("The first channel, 1 to 512. Default: 1.", valueName: "n"))
    var start: String?

    @Option(
        help: ArgumentHelp(
            "Where the CID for sACN is kept. Default: $XDG_STATE_HOME/pixelboop/lights-cid.", valueName: "file"))
    var cidFile: String?

    @Flag(help: "Show in the terminal what goes out.")
    var preview = false

    var flags: [LightsKey: String?] {
        [
            .ddp: ddp.joinedValue, .artnet: artnet.joinedValue, .sacn: sacn.joinedValue, .crop: crop, .scale: scale,
            .layout: layout, .origin: origin, .rotate: rotate, .gamma: gamma, .brightness: brightness,
            .picturesPerSecond: fps, .universe: universe, .start: start, .identifierFile: cidFile,
            .preview: preview ? "true" : nil,
        ]
    }

    func makeSurface(_ settings: LightsSettings, in context: CompanionContext) throws -> LightsSurface {
        try LightsSurface(settings, in: context)
    }
}
