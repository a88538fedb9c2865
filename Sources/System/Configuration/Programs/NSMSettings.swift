/// The values of the settings of the session manager's client.
public typealias NSMSettings = Settings<NSMTable>

/// The settings of the session manager's client.
public struct NSMTable: SettingTable {
    public static let program = "pixelboop-nsm"

    /// Where the session's daemon listens. It does not use the common variable, which names a socket for clients.
    public let socketPath = Setting(
        "socket", .socket, "", "The control socket of the session's daemon", as: "path",
        unset: "$XDG_RUNTIME_DIR/pixelboop/sessions/CLIENT.sock", example: "/run/user/1000/pixelboop/song.sock")
    public let logLevel = Setting.logLevel

    public init() {}
}
