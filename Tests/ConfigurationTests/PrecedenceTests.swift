import Testing

@testable import Configuration

struct PrecedenceTests {
    private let home: Home

    init() throws { home = try Home() }

    @Test func `without any configuration the defaults hold, in the user's directories`() throws {
        let configuration = try LoadedConfiguration<Configuration>(home.sources()).configuration
        #expect(configuration.socketPath == "/run/user/7/pixelboop/control.sock")
        #expect(configuration.stateDirectory == "\(home.path)/.local/state/pixelboop")
        #expect(configuration.libraryDirectory == "\(home.path)/.local/share/pixelboop/patterns")
        #expect(configuration.socketGroup == nil)
        #expect(configuration.maxClients == 1024)
        #expect(configuration.jackServer == nil)
        #expect(configuration.clientName == "pixelboop")
        #expect(configuration.connectsOutputs)
        #expect(configuration.audition == .stopped)
        #expect(configuration.sync == .own)
        #expect(configuration.logLevel == .info)
    }

    @Test func `every key can be set in the file`() throws {
        let configuration = try home.load(
            """
            socket = "/tmp/a.sock"
            socket-group = "root"
            max-clients = 2
            jack-server = "studio"
            client-name = "grid"
            connect = false
            state-dir = "/state"
            data-dir = "~/Music"
            audition = "always"
            sync = "auto"
            log-level = "debug"
            """)
        #expect(configuration.socketPath == "/tmp/a.sock")
        #expect(configuration.socketGroup == Configuration.Group(name: "root", id: 0))
        #expect(configuration.maxClients == 2)
        #expect(configuration.jackServer == "studio")
        #expect(configuration.clientName == "grid")
        #expect(!configuration.connectsOutputs)
        #expect(configuration.stateDirectory == "/state")
        #expect(configuration.libraryDirectory == "\(home.path)/Music/patterns")
        #expect(configuration.audition == .always)
        #expect(configuration.sync == .automatic)
        #expect(configuration.logLevel == .debug)
    }

    private static let words: [ConfigurationKey: String] = [
        .socket: "/a/b.sock", .socketGroup: "root", .maxClients: "7", .jackServer: "j", .clientName: "c",
        .connect: "false", .stateDirectory: "/s", .dataDirectory: "/l", .audition: "never", .sync: "auto",
        .logLevel: "error",
    ]

    @Test(arguments: ConfigurationKey.allCases)
    func `every key can be set by flag and by environment`(key: ConfigurationKey) throws {
        let word = try #require(Self.words[key])
        let byFlag = try LoadedConfiguration<Configuration>(home.sources(flags: [key: word]))
        let byVariable = try LoadedConfiguration<Configuration>(home.sources(environment: [key.variable: word]))
        #expect(byFlag.configuration == byVariable.configuration)
        #expect(byFlag.configuration.value(of: key)?.replacing("\"", with: "") == word)
        #expect(byFlag.configuration != (try LoadedConfiguration<Configuration>(home.sources()).configuration))
        #expect(byFlag.origin(of: key).description == (key == .connect ? "--no-connect" : "--\(key.rawValue)"))
        #expect(byVariable.origin(of: key).description == key.variable)
    }

    @Test func `flags win over the environment, and that over the file`() throws {
        try home.write("max-clients = 1\nclient-name = \"file\"\naudition = \"never\"")
        let loaded = try LoadedConfiguration<Configuration>(
            home.sources(
                flags: [.maxClients: "3"],
                environment: ["PIXELBOOP_MAX_CLIENTS": "2", "PIXELBOOP_CLIENT_NAME": "environment"]))
        #expect(loaded.configuration.maxClients == 3)
        #expect(loaded.configuration.clientName == "environment")
        #expect(loaded.configuration.audition == .never)
        #expect(loaded.origin(of: .maxClients) == .flag("--max-clients"))
        #expect(loaded.origin(of: .clientName) == .variable("PIXELBOOP_CLIENT_NAME"))
        #expect(loaded.origin(of: .audition) == .file("\(home.path)/.config/pixelboop/pixelboopd.toml", line: 3))
        #expect(loaded.origin(of: .connect) == .standard)
    }

    @Test func `an empty variable is as good as none`() throws {
        let loaded = try LoadedConfiguration<Configuration>(
            home.sources(environment: ["PIXELBOOP_MAX_CLIENTS": "", "PIXELBOOP_CONFIG": ""]))
        #expect(loaded.configuration.maxClients == 1024)
    }

    @Test func `paths on the command line may be relative`() throws {
        let loaded = try LoadedConfiguration<Configuration>(home.sources(flags: [.socket: "x.sock"]))
        #expect(loaded.configuration.socketPath == "/somewhere/x.sock")
    }

    @Test func `a misspelt variable is mentioned`() throws {
        let loaded = try LoadedConfiguration<Configuration>(
            home.sources(environment: ["PIXELBOOP_SOKET": "/x", "PIXELBOOP_OTHER": "1"]))
        #expect(loaded.warnings == ["PIXELBOOP_SOKET in the environment is not used; did you mean PIXELBOOP_SOCKET?"])
    }
}
