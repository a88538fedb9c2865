import Instrument
import JackAudio
import JackTestSupport
import Music
import Testing

/// The server comes and goes.
@Suite(.timeLimit(.minutes(1))) struct ReconnectionTests {
    private func killAndRestart(_ server: JackServer, _ driver: RunningDriver) async throws {
        await server.kill()
        let lost = try await driver.next(.lost)
        #expect(lost.reason != "")
        try await server.start()
        try await driver.next(.running)
    }

    @Test(arguments: [4000, 384_000])
    func `reports why it cannot play at a rate, and tries again`(rate: Int) async throws {
        try await JackServer.with(sampleRate: rate, period: 1024) { server in
            try await RunningDriver.with(server, { $0.patience.longestRetry = $0.patience.firstRetry }) { driver in
                let status = try await driver.next(.noServer)
                #expect(status.reason == "the JACK server runs at \(rate) Hz; supported rates are 8000 to 192000 Hz")
                for playable in [8000, 192_000] {
                    await server.stop()
                    server.sampleRate = playable
                    try await server.start()
                    #expect(try await driver.session().sampleRate == playable)
                    await server.stop()
                    try await driver.next(.lost)
                    server.sampleRate = rate
                    try await server.start()
                    try await driver.next { event in
                        if case .status(let now) = event, now.state == .lost, now.reason == status.reason {
                            true
                        } else {
                            nil
                        }
                    }
                }
            }
        }
    }

    @Test func `continues when a server that hung continues, and reports the xruns`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server, { $0.patience.stall = .milliseconds(500) }) { driver in
                _ = try await driver.session()
                server.suspend()
                let hung = try await driver.next(.lost)
                #expect(hung.reason == "the JACK server does not answer")
                #expect(!hung.needsRestart)
                server.resume()
                // Xruns are reported at most once a second, before or after the state.
                var (isRunning, xruns) = (false, 0)
                try await driver.next { event in
                    switch event {
                    case .status(let status): isRunning = status.state == .running
                    case .xruns(let total): xruns = total
                    default: break
                    }
                    return isRunning && xruns > 0 ? true : nil
                }
            }
        }
    }

    @Test func `outlives a server that is killed while it hangs`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server, { $0.patience.stall = .milliseconds(500) }) { driver in
                _ = try await driver.session()
                server.suspend()
                try await driver.next(.lost)
                await server.kill()
                try await driver.next { event in
                    if case .status(let status) = event, status.reason.contains("no JACK server") { true } else { nil }
                }
                try await server.start()
                try await driver.next(.running)
            }
        }
    }

    @Test func `whether the timebase is wanted may change while the client of a dead server is closed`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                _ = try await driver.session()
                let players = Task { [supervisor = driver.supervisor] in
                    for turn in 0... {
                        supervisor.leadTimebase(turn % 2 == 0)
                        try await Task.sleep(for: .microseconds(200))
                    }
                }
                defer { players.cancel() }
                for _ in 0..<2 { try await killAndRestart(server, driver) }
            }
        }
    }

    @Test func `stops even if the server hangs`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                _ = try await driver.session()
                server.suspend()
                await driver.supervisor.stop()
                try await driver.next(.off)
                server.resume()
            }
            // The abandoned call holds libjack's lock until the server answers.
            try await RunningDriver.with(server) { driver in
                _ = try await driver.session()
            }
        }
    }
}
