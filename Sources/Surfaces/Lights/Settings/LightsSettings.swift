import Configuration
import Logging

/// The values of the settings of a wall of lights.
public typealias LightsSettings = Settings<LightsTable>

public struct LightsTable: SettingTable {
    public static let program = "pixelboop-lights"

    public let socketPath = Setting.socket
    public let ddp = Setting(
        "ddp", .list(hosts, { Controller($0) }, write: \.text), [], "A controller that speaks DDP, as WLED does",
        as: "host",
        note: "A port other than the protocol's own follows a colon.", example: "192.168.1.50")
    public let artNet = Setting(
        "artnet", .list(hosts, { Controller($0) }, write: \.text), [], "A controller that speaks Art-Net", as: "host",
        example: "192.168.1.60")
    public let sACN = Setting(
        "sacn",
        .list(
            "\"multicast\", or hosts like \"192.168.1.50\"",
            { $0 == Controller.multicast.text ? .multicast : Controller($0) }, write: \.text), [],
        "A controller that speaks sACN, or multicast for all", as: "host", example: "multicast")
    public let interface = Setting(
        "interface",
        .optional(.text("the name of a network interface, like \"eth0\"", { InterfaceName($0) }, write: \.text)), nil,
        "The network interface by which multicast leaves", as: "name",
        unset: "the one that the routes say, or the only one", example: "eth0")
    public let crop = Setting(
        "crop",
        .words("\"x,y,w,h\", cells of the grid of 44 by 24, like \"4,2,35,20\"", { CellArea($0) }, write: \.text), .all,
        "The cells to show: column and row of the upper left one, columns, rows", as: "x,y,w,h")
    public let scale = Setting(
        "scale",
        .optional(
            .text("a number of lights across and down from 1 to 256, like \"22x12\"", { LightSize($0) }, write: \.text)),
        nil, "Lights across and down, before turning; each is the mean of its cells", as: "WxH",
        unset: "one light per cell",
        example: "22x12")
    public let layout = Setting(
        "layout", SettingKind<LightLayout>.choice(), .rows, "How rows are wired", as: "layout",
        note: "Rows begin on the same side; in a serpentine each begins where the one before ended.")
    public let origin = Setting(
        "origin", SettingKind<WallOrigin>.choice(), .topLeft, "Where the first light is", as: "corner")
    public let rotation = Setting(
        "rotate", SettingKind<Rotation>.number(), .none, "Turn the picture clockwise by this many degrees",
        as: "degrees")
    public let gamma = Setting(
        "gamma", .number(1...4), 2.2, "The exponent from colours to linear light", as: "exponent")
    public let brightness = Setting("brightness", .number(0...1), 1, "How bright the lights are", as: "part")
    public let picturesPerSecond = Setting("fps", .integer(1...240), 40, "Pictures a second at most", as: "n")
    public let universe = Setting(
        "universe", .optional(.integer(0...SACNStream.universes.upperBound)), nil, "The first universe", as: "n",
        unset: "\(ArtNetStream.universes.lowerBound) with Art-Net, \(SACNStream.universes.lowerBound) with sACN",
        example: "1")
    public let start = Setting("start", .integer(1...Universes.size), 1, "The first channel", as: "n")
    public let isPreviewed = Setting("preview", .flag, false, "Show in the terminal what is sent")
    public let identifierFile = Setting(
        "cid-file", .path, in: .state, file: "lights-cid",
        "Where the CID is stored, by which sACN receivers identify senders", as: "file")
    public let logLevel = Setting.logLevel

    private static let hosts = "hosts, like \"192.168.1.50\" or \"wall.local:4048\""

    public init() {}

    /// Nothing to send to, or more universes than a protocol has.
    public static func conflict(in settings: LightsSettings) -> (name: String, message: String)? {
        func conflict(_ name: String, _ all: ClosedRange<Int>) -> (name: String, message: String)? {
            let numbers = settings.universes(of: all).numbers(channels: 3 * settings.wall.count)
            guard numbers.lowerBound < all.lowerBound || numbers.upperBound - 1 > all.upperBound else { return nil }
            return (
                "universe",
                "\(name) has universes \(all.lowerBound) to \(all.upperBound), of which this wall needs \(numbers.count)"
            )
        }
        if !settings.isPreviewed && (settings.ddp + settings.artNet + settings.sACN).isEmpty {
            return ("ddp", "there is nothing to send to: ddp, artnet, sacn or preview must be set")
        }
        return (settings.artNet.isEmpty ? nil : conflict(ArtNetStream.name, ArtNetStream.universes))
            ?? (settings.sACN.isEmpty ? nil : conflict(SACNStream.name, SACNStream.universes))
    }
}

/// The name of a network interface, which may not exist yet.
public struct InterfaceName: Hashable, Sendable {
    let text: String

    /// Nil for what Linux does not allow: 1 to 15 bytes, neither spaces nor slashes.
    init?(_ text: String) {
        let allowed = UInt8(ascii: "!")...UInt8(ascii: "~")
        guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ allowed.contains($0) }),
            !text.contains("/"), text != ".", text != ".."
        else { return nil }
        self.text = text
    }
}

extension LightsSettings {
    /// The content and the wiring of the lights.
    var wall: Wall {
        var wall = Wall()
        wall.crop = self.crop
        wall.scale = self.scale
        wall.rotation = self.rotation
        wall.origin = self.origin
        wall.layout = self.layout
        wall.brightness = self.brightness
        wall.gamma = self.gamma
        return wall
    }

    /// Makes an output for each protocol that has controllers.
    func outputs(logger: Logger) -> [LightOutput] {
        func output(_ stream: any LightStream, _ controllers: [Controller]) -> LightOutput? {
            controllers.isEmpty
                ? nil : LightOutput(stream, to: controllers, picturesPerSecond: self.picturesPerSecond)
        }
        let identifier = self.sACN.isEmpty ? [] : ComponentIdentifier.kept(at: self.identifierFile, logger: logger)
        return [
            output(DDPStream(offset: self.start - 1), self.ddp),
            output(ArtNetStream(universes(of: ArtNetStream.universes)), self.artNet),
            output(
                SACNStream(universes(of: SACNStream.universes), identifier: identifier, source: LightsTable.program),
                self.sACN),
        ].compactMap(\.self)
    }

    /// The universes that pictures are cut into; `all` are those that the protocol has.
    func universes(of all: ClosedRange<Int>) -> Universes {
        Universes(first: self.universe ?? all.lowerBound, start: self.start)
    }
}
