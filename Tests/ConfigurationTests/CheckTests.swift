import Foundation
import Testing

@testable import Configuration

struct CheckTests {
    private let home: Home

    init() throws { home = try Home() }

    @Test func `a valid configuration is shown as it is in force, with the origin of each setting`() throws {
        let file = try home.write("max-clients = 64\ndata-dir = \"/a \\\"b\\\"\"")
        let result = ConfigurationCheck.run(home.sources(flags: [.connect: "false"]), for: Configuration.self)
        #expect(result.isValid)
        #expect(result.complaints == "")
        let lines = result.report.split(separator: "\n").map { $0.replacing(#/ +\#/#, with: "  #") }
        #expect(
            lines == [
                "# \(file)",
                "socket = \"/run/user/7/pixelboop/control.sock\"  # default",
                "# socket-group =  # default",
                "max-clients = 64  # \(file):1",
                "# jack-server =  # default",
                "client-name = \"pixelboop\"  # default",
                "connect = false  # --no-connect",
                "state-dir = \"\(home.path)/.local/state/pixelboop\"  # default",
                "data-dir = \"/a \\\"b\\\"\"  # \(file):2",
                "audition = \"stopped\"  # default",
                "sync = \"internal\"  # default",
                "log-level = \"info\"  # default",
            ])
    }

    @Test func `what is shown is itself a configuration file that says the same`() throws {
        let report = ConfigurationCheck.run(
            home.sources(flags: [.jackServer: "a\\b", .audition: "never"]), for: Configuration.self
        ).report
        let shown = try LoadedConfiguration<Configuration>(
            home.sources(flags: [.jackServer: "a\\b", .audition: "never"]))
        #expect(try home.load(report) == shown.configuration)
    }

    @Test func `an invalid configuration is not shown, but complained about line by line`() throws {
        let file = try home.write("connect = 1\nx = 1")
        let result = ConfigurationCheck.run(home.sources(), for: Configuration.self)
        #expect(!result.isValid)
        #expect(result.report == "")
        #expect(result.complaints.hasPrefix("\(file):1: connect must be true or false\n\(file):2: unknown key x; "))
    }

    @Test func `a reread configuration is taken over as far as it can be`() throws {
        let running = try home.load("")
        let reread = try home.load("max-clients = 5\naudition = \"always\"\nclient-name = \"x\"\nstate-dir = \"/s\"")
        let (applied, waiting) = running.applying(reread)
        #expect(applied.maxClients == 5)
        #expect(applied.audition == .always)
        #expect(applied.clientName == "pixelboop")
        #expect(waiting == [.clientName, .stateDirectory])
        #expect(running.applying(running).waiting.isEmpty)
    }

    @Test(arguments: ConfigurationKey.allCases)
    func `a key waits for a restart unless it applies while running`(key: ConfigurationKey) throws {
        let running = try home.load("")
        let words: [ConfigurationKey: String] = [
            .socket: "/x", .socketGroup: "root", .maxClients: "7", .jackServer: "x", .clientName: "x",
            .connect: "false", .stateDirectory: "/x", .dataDirectory: "/x", .audition: "never", .sync: "auto",
            .logLevel: "error",
        ]
        let reread = try LoadedConfiguration<Configuration>(home.sources(flags: [key: try #require(words[key])]))
            .configuration
        #expect(reread != running)
        let appliesWhileRunning: Set<ConfigurationKey> = [.maxClients, .connect, .audition, .logLevel]
        #expect(running.applying(reread).waiting == (appliesWhileRunning.contains(key) ? [] : [key]))
    }

    @Test func `the example names every key, with its default`() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/pixelboopd.toml")
        let example = try String(contentsOf: url, encoding: .utf8)
        let active = example.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /# ([a-z-]+ = .*)/).map { String($0.1) }
        }
        #expect(
            active.compactMap { $0.split(separator: " ").first.map(String.init) }
                == ConfigurationKey.allCases.map(\.name))
        var configuration = try home.load(
            active.filter { !$0.hasPrefix("socket-group") }.joined(separator: "\n").replacing(
                "/home/ada", with: home.path))
        configuration.jackServer = nil
        let defaults = try LoadedConfiguration<Configuration>(
            home.sources(file: try home.write("", to: "empty.toml"), environment: ["XDG_RUNTIME_DIR": "/run/user/1000"])
        )
        #expect(configuration == defaults.configuration)
    }
}
