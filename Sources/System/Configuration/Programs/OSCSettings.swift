/// The values of the OSC bridge's settings.
public typealias OSCSettings = Settings<OSCTable>

/// The settings of the OSC bridge.
public struct OSCTable: SettingTable {
    public static let program = "pixelboop-osc"

    public let socketPath = Setting.socket
    public let listening = Setting(
        "listen", .addresses(port: 9044, orNone: false), [ListenAddress(address: "127.0.0.1", port: 9044)],
        "An address to listen on instead, by UDP and by TCP, like 192.168.1.2:9044", as: "address")
    public let peers = Setting(
        "peer", .peers, [],
        "A device that gets answers and events by UDP without confirming that it wants them, as by TouchOSC",
        as: "address", note: "This machine need not confirm.", example: "192.168.1.20:9000")
    public let maxClients = Setting(
        "max-clients", .integer(1...1024), 64, "Senders that may be served at once", as: "n")
    public let logLevel = Setting.logLevel

    public init() {}
}
