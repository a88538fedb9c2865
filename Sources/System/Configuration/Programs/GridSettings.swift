/// The values of the controllers' settings.
public typealias GridSettings = Settings<GridTable>

/// The settings of the controllers' program.
public struct GridTable: SettingTable {
    public static let program = "pixelboop-grid"

    public let socketPath = Setting.socket
    public let jackServer = Setting(
        "jack-server", .optional(.jackServer), nil, "The JACK server to join", as: "name",
        unset: "$JACK_DEFAULT_SERVER, or JACK's own default", example: "default")
    public let serialoscPort = Setting(
        "serialosc", .integer(1...65_535), 12_002, "serialosc's port on this machine", as: "port")
    public let follows = Setting("follow", .flag, false, "Let pages follow the playing step")
    public let logLevel = Setting.logLevel

    public init() {}
}
