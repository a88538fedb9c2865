import Foundation
import Instrument
import Music
import Testing

@testable import Configuration

struct CheckTests {
    private let home: Home

    init() throws { home = try Home() }

    @Test func `a valid configuration is shown as it applies, with each setting's origin`() throws {
        let file = try home.write("max-clients = 64\ndata-dir = \"/a \\\"b\\\"\"")
        let result = ConfigurationCheck.run(home.sources(flags: ["connect": "false"]), for: DaemonTable.self)
        #expect(result.isValid)
        #expect(result.complaints == "")
        let lines = result.report.split(separator: "\n").map { $0.replacing(#/ +\#/#, with: "  #") }
        #expect(
            lines == [
                "# \(file)",
                "socket = \"/run/user/7/pixelboop/control.sock\"  # default",
                "# socket-group =  # default",
                "max-clients = 64  # \(file):1",
                "driver = \"jack\"  # default",
                "rate = 48000  # default",
                "period = 256  # default",
                "# jack-server =  # default",
                "client-name = \"pixelboop\"  # default",
                "connect = false  # --no-connect",
                "state-dir = \"\(home.path)/.local/state/pixelboop\"  # default",
                "data-dir = \"/a \\\"b\\\"\"  # \(file):2",
                "takes-keep = 200  # default",
                "takes-size = 1024  # default",
                "audition = \"stopped\"  # default",
                "sync = \"internal\"  # default",
                "log-level = \"info\"  # default",
            ])
    }

    @Test func `an invalid configuration is not shown, and each problem gets a line`() throws {
        let file = try home.write("connect = 1\nx = 1")
        let result = ConfigurationCheck.run(home.sources(), for: DaemonTable.self)
        #expect(!result.isValid)
        #expect(result.report == "")
        #expect(result.complaints.hasPrefix("\(file):1: connect must be true or false\n\(file):2: unknown key x; "))
    }

    @Test func `a reread configuration is applied as far as possible`() throws {
        let running = try home.load("")
        let reread = try home.load("max-clients = 5\naudition = \"always\"\nclient-name = \"x\"\nstate-dir = \"/s\"")
        let (applied, waiting) = running.applying(reread)
        #expect(applied.maxClients == 5)
        #expect(applied.audition == .always)
        #expect(applied.clientName == "pixelboop")
        #expect(waiting == ["client-name", "state-dir"])
        #expect(running.applying(running).waiting.isEmpty)
    }

    @Test(arguments: DaemonTable.rows.map(\.name))
    func `a setting waits for a restart unless it applies while running`(name: String) throws {
        let running = try home.load("")
        let word = try #require(ConfiguredProgram.words["pixelboopd"]?[name])
        let reread = try LoadedConfiguration<DaemonTable>(home.sources(flags: [name: word])).settings
        #expect(reread != running)
        let appliesWhileRunning: Set = ["max-clients", "audition", "log-level"]
        #expect(running.applying(reread).waiting == (appliesWhileRunning.contains(name) ? [] : [name]))
    }
}
