import Instrument
import Music
import Testing

@testable import Configuration

struct PrecedenceTests {
    private let home: Home

    init() throws { home = try Home() }

    @Test func `without any configuration the defaults apply, in the user's directories`() throws {
        let configuration = try LoadedConfiguration<DaemonTable>(home.sources()).settings
        #expect(configuration.socketPath == "/run/user/7/pixelboop/control.sock")
        #expect(configuration.stateDirectory == "\(home.path)/.local/state/pixelboop")
        #expect(configuration.libraryDirectory == "\(home.path)/.local/share/pixelboop/patterns")
        #expect(configuration.socketGroup == nil)
        #expect(configuration.maxClients == 1024)
        #expect(configuration.driver == .jack)
        #expect(configuration.rate == 48_000 && configuration.period == 256)
        #expect(configuration.jackServer == nil)
        #expect(configuration.clientName == "pixelboop")
        #expect(configuration.connectsOutputs)
        #expect(configuration.audition == .whenNotPlaying)
        #expect(configuration.sync == .own)
        #expect(configuration.logLevel == .info)
    }

    @Test func `a path may begin with the home directory`() throws {
        #expect(try home.load("data-dir = \"~/Music\"").libraryDirectory == "\(home.path)/Music/patterns")
    }

    @Test func `flags override the environment, which overrides the file`() throws {
        try home.write("max-clients = 1\nclient-name = \"file\"\naudition = \"never\"")
        let loaded = try LoadedConfiguration<DaemonTable>(
            home.sources(
                flags: ["max-clients": "3"],
                environment: ["PIXELBOOP_MAX_CLIENTS": "2", "PIXELBOOP_CLIENT_NAME": "environment"]))
        #expect(loaded.settings.maxClients == 3)
        #expect(loaded.settings.clientName == "environment")
        #expect(loaded.settings.audition == .never)
        #expect(loaded.origin(of: "max-clients") == .flag("--max-clients"))
        #expect(loaded.origin(of: "client-name") == .variable("PIXELBOOP_CLIENT_NAME"))
        #expect(loaded.origin(of: "audition") == .file("\(home.path)/.config/pixelboop/pixelboopd.toml", line: 3))
        #expect(loaded.origin(of: "connect") == .standard)
    }

    @Test func `an empty variable counts as unset`() throws {
        let loaded = try LoadedConfiguration<DaemonTable>(
            home.sources(environment: ["PIXELBOOP_MAX_CLIENTS": "", "PIXELBOOP_CONFIG": ""]))
        #expect(loaded.settings.maxClients == 1024)
    }

    @Test func `paths on the command line may be relative`() throws {
        let loaded = try LoadedConfiguration<DaemonTable>(home.sources(flags: ["socket": "x.sock"]))
        #expect(loaded.settings.socketPath == "/somewhere/x.sock")
    }

    @Test func `the kits of a daemon without flags are found, even where other paths are unknown`() throws {
        var environment = ["HOME": home.path]
        #expect(try DaemonSettings.kitDirectory(environment: environment) == "\(home.path)/.local/share/pixelboop/kits")
        try home.write("data-dir = \"/srv/boop\"")
        #expect(try DaemonSettings.kitDirectory(environment: environment) == "/srv/boop/kits")
        environment["PIXELBOOP_DATA_DIR"] = "/mnt/boop"
        #expect(try DaemonSettings.kitDirectory(environment: environment) == "/mnt/boop/kits")
        try home.write("data-dri = \"/srv/boop\"")
        #expect(throws: ConfigurationError.self) { try DaemonSettings.kitDirectory(environment: environment) }
        #expect(try DaemonSettings.kitDirectory(environment: ["XDG_DATA_HOME": "/data"]) == "/data/pixelboop/kits")
    }

    @Test func `a misspelt variable is reported`() throws {
        let loaded = try LoadedConfiguration<DaemonTable>(
            home.sources(environment: ["PIXELBOOP_SOKET": "/x", "PIXELBOOP_OTHER": "1"]))
        #expect(loaded.warnings == ["PIXELBOOP_SOKET in the environment is not used; did you mean PIXELBOOP_SOCKET?"])
    }
}
