import Configuration

/// Everything that a wall of lights can be told.
public enum LightsKey: String, SettingKey {
    case socket
    case ddp
    case artnet
    case sacn
    case crop
    case scale
    case layout
    case origin
    case rotate
    case gamma
    case brightness
    case picturesPerSecond = "fps"
    case universe
    case start
    case preview
    case identifierFile = "cid-file"
    case logLevel = "log-level"

    /// `pixelboop-lights`
    public static let program = "pixelboop-lights"
    /// `PIXELBOOP_LIGHTS_`
    public static let prefix = "PIXELBOOP_LIGHTS_"

    /// The runtime directory for the socket, the home directory for the CID.
    public var base: String? {
        switch self {
        case .socket: "XDG_RUNTIME_DIR"
        case .identifierFile: "HOME"
        default: nil
        }
    }

    /// `--preview`
    public var isSwitch: Bool { self == .preview }

    /// What may be set, in words.
    public var expectation: String {
        switch self {
        case .socket: "an absolute path of at most \(BaseDirectories.socketPathLimit) bytes"
        case .ddp, .artnet: "hosts, like \"192.168.1.50\" or \"wall.local:4048\""
        case .sacn: "\"multicast\", or hosts like \"192.168.1.50\""
        case .crop: "\"x,y,w,h\", cells of the grid of 44 by 24, like \"4,2,35,20\""
        case .scale: "a number of lights across and down from 1 to 256, like \"22x12\""
        case .layout: LightLayout.allCases.map { "\"\($0.rawValue)\"" }.alternatives
        case .origin: Origin.allCases.map { "\"\($0.rawValue)\"" }.alternatives
        case .rotate: Rotation.allCases.map { "\($0.rawValue)" }.alternatives
        case .gamma: "a number from 1 to 4"
        case .brightness: "a number from 0 to 1"
        case .picturesPerSecond: "an integer from 1 to 240"
        case .universe: "an integer from 0 to \(SACNStream.universes.upperBound)"
        case .start: "an integer from 1 to \(Universes.size)"
        case .preview: "true or false"
        case .identifierFile: "an absolute path"
        case .logLevel: LogLevel.expectation
        }
    }
}
