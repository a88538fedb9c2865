public typealias LinkSettings = Settings<LinkTable>

public struct LinkTable: SettingTable {
    public static let program = "pixelboop-link"

    public let socketPath = Setting.socket
    public let quantum = Setting("quantum", .integer(1...64), 4, "Join on a multiple of this many beats", as: "beats")
    public let sharesStarts = Setting("start-stop", .onOff, true, "Share starts and stops with the session")
    public let logLevel = Setting.logLevel

    public init() {}
}
