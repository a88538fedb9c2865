import Testing

@testable import Configuration
@testable import Controllers
@testable import Lights
@testable import NSMClient
@testable import OSCBridge

/// A program's settings, independent of its table's type.
struct ConfiguredProgram: Sendable, CustomTestStringConvertible {
    /// The values of all settings as written in the file, and their origins.
    typealias Loaded = [String: (text: String?, origin: ConfigurationOrigin)]

    let name: String
    let rows: [SettingRow]
    let prefix: String
    let load: @Sendable (ConfigurationSources) throws -> Loaded
    let report: @Sendable (ConfigurationSources) -> String
    let example: String

    init<Table: SettingTable>(_ table: Table.Type) {
        name = Table.program
        rows = Table.rows
        prefix = Table.prefix
        load = { sources in
            let loaded = try LoadedConfiguration<Table>(sources)
            return Dictionary(
                uniqueKeysWithValues: Table.rows.map {
                    ($0.name, (loaded.settings.text(of: $0), loaded.origin(of: $0.name)))
                })
        }
        report = { ConfigurationCheck.run($0, for: Table.self).report }
        example = ExampleFile.text(
            for: Table.self, environment: ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/1000"])
    }

    var testDescription: String { name }

    static let all = [
        ConfiguredProgram(DaemonTable.self), ConfiguredProgram(WebTable.self), ConfiguredProgram(LinkTable.self),
        ConfiguredProgram(LightsTable.self),
        ConfiguredProgram(OSCTable.self), ConfiguredProgram(GridTable.self), ConfiguredProgram(NSMTable.self),
    ]

    /// For each setting of each program, a value other than its default.
    static let words = [
        "pixelboopd": [
            "socket": "/a/b.sock", "socket-group": "root", "max-clients": "7", "driver": "internal", "rate": "44100",
            "period": "64", "jack-server": "j", "client-name": "c", "connect": "false", "state-dir": "/s",
            "data-dir": "/l", "takes-keep": "7", "takes-size": "64", "audition": "never", "sync": "auto",
            "log-level": "error",
        ],
        "pixelboop-web": [
            "socket": "/a/b.sock", "listen": "127.0.0.1:1,[::1]:65535", "lan": "true", "host": "a.example,b",
            "token": "true", "origin": "https://a.example,http://b:8044", "token-file": "/t", "tls-certificate": "/c",
            "tls-key": "/k", "max-clients": "7", "log-level": "error",
        ],
        "pixelboop-link": ["socket": "/a/b.sock", "quantum": "8", "start-stop": "false", "log-level": "error"],
        "pixelboop-lights": [
            "socket": "/a/b.sock", "ddp": "10.0.0.1,wall:1", "artnet": "10.0.0.2", "sacn": "multicast,10.0.0.3",
            "interface": "eth1",
            "crop": "4,2,35,20", "scale": "22x12", "layout": "serpentine", "origin": "bottom-right", "rotate": "270",
            "gamma": "1.5", "brightness": "0.25", "fps": "25", "universe": "17", "start": "4", "preview": "true",
            "cid-file": "/c", "log-level": "error",
        ],
        "pixelboop-osc": [
            "socket": "/a/b.sock", "listen": "127.0.0.1:1,[::1]:65535", "peer": "10.0.0.1,10.0.0.2:9000,::1,[::2]:7",
            "max-clients": "7", "log-level": "error",
        ],
        "pixelboop-grid": [
            "socket": "/a/b.sock", "jack-server": "j", "serialosc": "7", "follow": "true", "log-level": "error",
        ],
        "pixelboop-nsm": ["socket": "/a/b.sock", "log-level": "error"],
    ]

    /// Settings that a program cannot run without, or that need each other.
    static let needed = [
        "pixelboop-web": ["tls-certificate": "/1", "tls-key": "/2"], "pixelboop-lights": ["ddp": "a"],
    ]
}
