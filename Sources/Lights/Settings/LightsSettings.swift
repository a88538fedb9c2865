import Configuration
import Logging

/// How a wall of lights is to show the grid.
public struct LightsSettings: Equatable, Sendable {
    /// The daemon's control socket.
    public var socketPath: String
    /// Controllers that speak DDP.
    public var ddp: [Controller] = []
    /// Controllers that speak Art-Net.
    public var artNet: [Controller] = []
    /// Controllers that speak sACN.
    public var sACN: [Controller] = []
    /// What the lights show, and how they are wired.
    public var wall = Wall()
    /// Pictures a second at most.
    public var picturesPerSecond = 40
    /// The first universe; nil for the first that a protocol has.
    public var universe: Int?
    /// The first channel, from 1.
    public var start = 1
    /// Whether what goes out is shown in the terminal.
    public var isPreviewed = false
    /// Where the CID is kept, by which receivers of sACN tell senders apart.
    public var identifierFile: String
    /// What is logged: messages of this level and above.
    public var logLevel = LogLevel.info

    /// The settings that hold unless something else is configured.
    public init(directories: BaseDirectories) {
        socketPath = directories.controlSocket ?? ""
        identifierFile = directories.state.map { "\($0)/lights-cid" } ?? ""
    }

    /// Makes what sends the pictures.
    func outputs(logger: Logger) -> [LightOutput] {
        func output(_ stream: any LightStream, _ controllers: [Controller]) -> LightOutput? {
            controllers.isEmpty
                ? nil : LightOutput(stream, to: controllers, picturesPerSecond: picturesPerSecond)
        }
        let identifier = sACN.isEmpty ? [] : ComponentIdentifier.kept(at: identifierFile, logger: logger)
        return [
            output(DDPStream(offset: start - 1), ddp),
            output(ArtNetStream(universes(of: ArtNetStream.universes)), artNet),
            output(
                SACNStream(universes(of: SACNStream.universes), identifier: identifier, source: LightsKey.program),
                sACN),
        ].compactMap(\.self)
    }

    /// The universes that pictures are cut into, in a protocol that has some.
    func universes(of all: ClosedRange<Int>) -> Universes {
        Universes(first: universe ?? all.lowerBound, start: start)
    }
}
