import JackAudio
import JackTestSupport
import Testing

/// How long until samples are heard.
@Suite(.timeLimit(.minutes(1))) struct LatencyTests {
    /// The playback latency of the card's first port, as JACK reports it to any client.
    private func cardLatency(on server: JackServer) async throws -> Int {
        let listing = try await JackTool.run("jack_lsp", "-l", "system:playback_1", on: server)
        let line = try #require(listing.split(separator: "\n").first { $0.contains("playback latency") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    }

    /// Waits until the driver reports a latency, unless it has.
    private func wait(for latency: Int, _ driver: RunningDriver) async throws {
        guard driver.status?.session?.playbackLatency != latency else { return }
        try await driver.next { event in
            if case .status(let status) = event, status.session?.playbackLatency == latency { true } else { nil }
        }
    }

    @Test func `is the card's, and is known before anything plays`() async throws {
        try await JackServer.with(period: 1024) { server in
            let card = try await cardLatency(on: server)
            #expect(card >= 1024)
            let main: JackConnections = ["main_L": ["system:playback_1"]]
            try await RunningDriver.with(server, { $0.connections = main }) { driver in
                try await wait(for: card, driver)
            }
        }
    }

    @Test func `follows the period`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                for period in [256, 2048, 64] {
                    if period != 256 { try await JackTool.run("jack_bufsize", "\(period)", on: server) }
                    try await wait(for: cardLatency(on: server), driver)
                }
            }
        }
    }

    @Test func `follows the connections, the main ports' first`() async throws {
        try await JackServer.with { server in
            let insert = try LatencyInsert(frames: 5000, on: server)
            defer { insert.close() }
            let card = try await cardLatency(on: server)
            try await RunningDriver.with(server, { $0.connections = [:] }) { driver in
                _ = try await driver.session()
                try await JackTool.run("jack_connect", "insert:out", "system:playback_1", on: server)
                try await JackTool.run("jack_connect", "pixelboop:bass", "insert:in", on: server)
                try await wait(for: card + 5000, driver)
                try await JackTool.run("jack_connect", "pixelboop:main_R", "system:playback_2", on: server)
                try await wait(for: card, driver)
                try await JackTool.run("jack_connect", "pixelboop:main_L", "insert:in", on: server)
                try await wait(for: card + 5000, driver)
                try await JackTool.run("jack_disconnect", "insert:out", "system:playback_1", on: server)
                try await wait(for: 5000, driver)
                try await JackTool.run("jack_disconnect", "pixelboop:main_L", "insert:in", on: server)
                try await wait(for: card, driver)
            }
        }
    }
}
