import Instrument
import JackAudio
import JackTestSupport
import Music
import TestSupport
import Testing

/// Connections on a real server.
@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    private static let main: JackConnections = [
        "main_L": ["system:playback_1"], "main_R": ["system:playback_2"],
    ]

    /// The connections of the driver's ports as other clients see them.
    private func connections(on server: JackServer) async throws -> JackConnections {
        let listing = try await JackTool.run("jack_lsp", "-c", "pixelboop", on: server)
        var connections: JackConnections = [:]
        var port = ""
        for line in listing.split(separator: "\n") {
            if line.hasPrefix(" ") {
                connections[port, default: []].insert(String(line.drop { $0 == " " }))
            } else {
                port = String(line.drop { $0 != ":" }.dropFirst())
            }
        }
        return connections
    }

    @Test func `are the user's own after the first start`() async throws {
        try await JackServer.with { server in
            let own: JackConnections = ["bass": ["system:playback_2"]]
            try await RunningDriver.with(server, { $0.connections = own }) { driver in
                _ = try await driver.session()
                try await JackTool.run("jack_wait", "-c", "-t", "1", on: server)
                try await JackTool.run("jack_connect", "pixelboop:melody", "system:playback_1", on: server)
                var expected = own
                expected["melody"] = ["system:playback_1"]
                try await driver.next(connections: expected)
                #expect(try await connections(on: server) == expected)
                try await JackTool.run("jack_disconnect", "pixelboop:bass", "system:playback_2", on: server)
                try await driver.next(connections: ["melody": ["system:playback_1"]])
            }
        }
    }

    @Test func `reach the speakers on the very first start, and come back with the server`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                try await driver.next(connections: Self.main)
                #expect(try await connections(on: server) == Self.main)
                try await JackTool.run("jack_connect", "pixelboop:rhythm", "system:playback_1", on: server)
                var expected = Self.main
                expected["rhythm"] = ["system:playback_1"]
                try await driver.next(connections: expected)
                await server.stop()
                try await driver.next(.lost)
                try await server.start()
                try await driver.next(.running)
                try await waitForConnections(expected, on: server)
                #expect(!driver.seen.contains(.connections([:])))
            }
        }
    }

    @Test func `come back with the client at their other end`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server, { $0.connections = [:] }) { driver in
                _ = try await driver.session()
                var recorder = try JackRecorder(["pixelboop:melody"], of: server)
                let expected: JackConnections = ["melody": ["recorder:in_1"]]
                try await driver.next(connections: expected)
                recorder.close()
                recorder = try JackRecorder(inputs: 1, of: server)
                try await waitForConnections(expected, on: server)
                recorder.close()
                #expect(!driver.seen.contains(.connections([:])))
            }
        }
    }

    /// Latin-1's "größe", which is not UTF-8.
    private static let latin: [UInt8] = [0x67, 0x72, 0xf6, 0xdf, 0x65]

    @Test func `come back with a port whose name is not UTF-8`() async throws {
        try await JackServer.with { server in
            var stored: JackConnections = [:]
            try await RunningDriver.with(server, { $0.connections = [:] }) { driver in
                _ = try await driver.session()
                let peer = try PortClient("peer", of: server)
                peer.addInput(Self.latin)
                try peer.connect("pixelboop:midi_out", to: Self.latin)
                stored = try await driver.next { if case .connections(let made) = $0 { made } else { nil } }
                #expect(stored.keys.sorted() == ["midi_out"])
                // With the port, then with the driver.
                peer.removeInput(Self.latin)
                peer.addInput(Self.latin)
                try await waitUntil { peer.isConnected("pixelboop:midi_out", to: Self.latin) }
                peer.close()
            }
            try await RunningDriver.with(server, { $0.connections = stored }) { driver in
                let peer = try PortClient("peer", of: server)
                peer.addInput(Self.latin)
                try await driver.next(.running)
                try await waitUntil { peer.isConnected("pixelboop:midi_out", to: Self.latin) }
                peer.close()
            }
        }
    }

    @Test func `stay with the port that they were made to, although another was beside it`() async throws {
        try await JackServer.with { server in
            let connections: JackConnections = ["midi_out": ["synth:in_2"]]
            try await RunningDriver.with(
                server,
                {
                    $0.connections = connections
                    $0.patience.doubt = .milliseconds(100)
                }
            ) { driver in
                let synth = try PortClient("synth", of: server)
                for name in ["in_1", "in_2"] { synth.addInput(name) }
                try await driver.next(.running)
                try await waitUntil { synth.isConnected("pixelboop:midi_out", to: "in_2") }
                synth.removeInput("in_2")
                // The driver sees that this port comes, and looks at the others ten times as long as it needs for that.
                synth.addInput("other")
                try await Task.sleep(for: .seconds(1))
                #expect(!synth.isConnected("pixelboop:midi_out", to: "in_1"))
                synth.addInput("in_2")
                try await waitUntil { synth.isConnected("pixelboop:midi_out", to: "in_2") }
                #expect(!synth.isConnected("pixelboop:midi_out", to: "in_1"))
                synth.close()
            }
        }
    }

    /// JACK's tools print the current state, and none waits for a change.
    private func waitForConnections(_ expected: JackConnections, on server: JackServer) async throws {
        try await waitUntil { try await connections(on: server) == expected }
    }
}
