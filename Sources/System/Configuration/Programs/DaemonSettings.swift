import Glibc
import Instrument
import Music

public typealias DaemonSettings = Settings<DaemonTable>

public struct DaemonTable: SettingTable {
    public static let program = "pixelboopd"
    public static let prefix = "PIXELBOOP_"

    public let socketPath = Setting.socket
    public let socketGroup = Setting(
        "socket-group", .optional(.group), nil,
        "A group whose members may connect too; without one, only the daemon's own user and root may", as: "group",
        example: "audio")
    public let maxClients = Setting(
        "max-clients", .integer(1...65_536), 1024, "Clients that may be connected at once", as: "n", reloads: true)
    public let driver = Setting(
        "driver", SettingKind<AudioDriver>.choice(), .jack, "What plays", as: "driver",
        note: "The internal driver needs no JACK server and is heard by `pixelboop listen` and on the page.")
    public let rate = Setting(
        "rate", .integer(AudioLimits.sampleRates), 48_000, "Frames per second of the internal driver", as: "hz")
    public let period = Setting(
        "period", .integer(AudioLimits.periods), 256, "Frames per period of the internal driver", as: "frames")
    public let jackServer = Setting(
        "jack-server", .optional(.jackServer), nil, "The JACK server to join", as: "name",
        unset: "$JACK_DEFAULT_SERVER, or JACK's own default", example: "default")
    public let clientName = Setting(
        // `JACK_CLIENT_NAME_SIZE`, less the terminating zero.
        "client-name", .name(atMost: 32, without: ":", "colons"), "pixelboop", "The name of the JACK client", as: "name"
    )
    public let connectsOutputs = Setting(
        "connect", .onOff, true, "Connect the main ports to the first playback ports on the very first start")
    public let stateDirectory = Setting(
        "state-dir", .path, in: .state, "Where the session is kept", as: "folder")
    public let dataDirectory = Setting(
        "data-dir", .path, in: .data, "Where the library and the kits of samples are kept", as: "folder",
        note: "Its patterns are in the folder \"patterns\" there, one JSON file each.")
    public let takesKeep = Setting(
        "takes-keep", .integer(0...100_000), 200, "Performances that are kept, besides starred ones", as: "n",
        note: "0 records none. `pixelboop take` lists them.")
    public let takesSize = Setting(
        "takes-size", .integer(1...1_048_576), 1024, "MiB that they may take on the disk", as: "mib")
    public let audition = Setting(
        "audition", SettingKind<AuditionMode>.choice(), .whenNotPlaying, "When touches play notes", as: "when",
        reloads: true)
    public let sync = Setting(
        "sync", SettingKind<SyncSource>.choice(), .own, "What a new session follows", as: "source",
        note: "Later the last source set applies (`pixelboop sync`).")
    public let logLevel = Setting.logLevel(reloads: true)

    public init() {}
}

extension DaemonSettings {
    /// The folder of the library's patterns, one file each.
    public var libraryDirectory: String { "\(self.dataDirectory)/patterns" }

    /// The folder of the kits of samples, one folder each.
    public var kitDirectory: String { "\(self.dataDirectory)/kits" }

    /// The folder of the kits that a daemon without flags would have.
    ///
    /// - Throws: ``ConfigurationError`` if it is unknown, or such a daemon would not start.
    public static func kitDirectory(environment: [String: String]) throws(ConfigurationError) -> String {
        // The variables that these paths come from may be missing, and do not matter here.
        let flags = ConfigurationFlags(values: ["socket": "/", "state-dir": "/"])
        let sources = ConfigurationSources(flags: flags, environment: environment)
        return try LoadedConfiguration<DaemonTable>(sources).settings.kitDirectory
    }
}

public struct UserGroup: Equatable, Sendable {
    public let name: String
    /// The system's ID for it.
    public let id: UInt32

    /// The group with a name, nil if there is none.
    init?(named name: String) {
        var buffer = [CChar](repeating: 0, count: 65_536)
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        self.name = name
        id = entry.gr_gid
    }
}

extension SettingKind<UserGroup> {
    static var group: SettingKind {
        text("the name of a group on this machine", { UserGroup(named: $0) }, write: \.name)
    }
}
