import CJack
import Engine
import Instrument
import JackAudio
import JackTestSupport
import Music
import Testing

/// The server's transport, followed and led.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SharedTransportTests {
    /// The test's own client, which reads and moves the transport.
    private struct Other: ~Copyable {
        let handle: OpaquePointer

        init(_ server: JackServer, name: String = "other") throws {
            var status = CJack.JackStatus(0)
            handle = try #require(cjack_client_open(name, server.name, JackNoStartServer, &status))
        }

        deinit { jack_client_close(handle) }

        func read() -> cjack_transport_t { cjack_query_transport(handle) }

        /// Reads until a condition is met.
        func read(until isSo: (cjack_transport_t) -> Bool) async throws -> cjack_transport_t {
            while true {
                let transport = read()
                if isSo(transport) { return transport }
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    private func score(_ change: (inout SyncSettings) -> Void) -> Score {
        var score = Score.test()
        change(&score.sync)
        return score
    }

    private func report(_ engine: Engine, until isSo: (TransportReport) -> Bool) async throws -> TransportReport {
        while true {
            if let report = engine.fetchReport(), isSo(report) { return report }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    @Test func `the transport is followed, and moved by our commands`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                driver.engine.publish(score { $0.source = .jack })
                _ = try await driver.session()
                let other = try Other(server)
                #expect(driver.engine.send(.play, at: 0))
                _ = try await other.read { $0.is_rolling && $0.frame > 0 }
                let playing = try await report(driver.engine) { $0.state == .playing }
                #expect(playing.following == .jack)
                jack_transport_stop(other.handle)
                _ = try await report(driver.engine) { $0.state == .paused }
                #expect(driver.engine.send(.stop, at: 0))
                _ = try await other.read { !$0.is_rolling && $0.frame == 0 }
                _ = try await report(driver.engine) { $0.state == .stopped }
            }
        }
    }

    @Test func `the timebase is led while nobody else does`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                driver.engine.publish(score { $0.leadsJack = true })
                driver.supervisor.leadTimebase(true)
                _ = try await driver.session()
                let other = try Other(server)
                let standing = try await other.read { $0.has_bar }
                #expect(standing.bar == 1 && standing.beat == 1 && standing.bpm == 120)
                // Bar and beat match the transport's frame in every cycle.
                jack_transport_start(other.handle)
                _ = try await other.read { $0.is_rolling }
                for _ in 0..<20 {
                    let told = try await other.read { $0.is_rolling }
                    let beats = Double(told.bar - 1) * 4 + Double(told.beat - 1) + told.tick / told.ticks_per_beat
                    #expect(told.has_bar && abs(beats * 24_000 - Double(told.frame)) < 0.1)
                    try await Task.sleep(for: .milliseconds(5))
                }
                // Our own relocation has them at once.
                jack_transport_stop(other.handle)
                _ = try await other.read { !$0.is_rolling }
                #expect(driver.engine.send(.locate(step: 6), at: 0))
                let moved = try await other.read { $0.frame == 36_000 }
                #expect(moved.has_bar && moved.bar == 1 && moved.beat == 2 && moved.tick == 960)
                driver.supervisor.leadTimebase(false)
                _ = try await report(driver.engine) { !$0.leadsJack }
            }
        }
    }

    @Test func `a timebase that is released while the transport rolls is not mistaken for another master's`()
        async throws
    {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                driver.engine.publish(
                    score {
                        $0.source = .jack
                        $0.leadsJack = true
                    })
                driver.supervisor.leadTimebase(true)
                _ = try await driver.session()
                _ = try await report(driver.engine) { $0.leadsJack }
                #expect(driver.engine.send(.play, at: 0))
                _ = try await report(driver.engine) { $0.leadsJack && $0.state == .playing }
                driver.supervisor.leadTimebase(false)
                let given = try await report(driver.engine) { !$0.leadsJack }
                // Longer than a master may be silent before it is lost.
                let later = try await report(driver.engine) { $0.usecs > given.usecs + 250_000 }
                #expect(later.following == .jack && later.state == .playing && later.lossCount == 0)
            }
        }
    }

    @Test(arguments: [true, false])
    func `another client that takes the timebase has it, until it is free again`(rolls: Bool) async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                driver.engine.publish(score { $0.leadsJack = true })
                driver.supervisor.leadTimebase(true)
                _ = try await driver.session()
                _ = try await report(driver.engine) { $0.leadsJack }
                do {
                    let other = try Other(server, name: "taker")
                    jack_set_timebase_callback(
                        other.handle, 0,
                        { _, _, position, _, _ in
                            var told = cjack_transport_t()
                            (told.bar, told.beat, told.beats_per_bar, told.beat_type) = (1, 1, 4, 4)
                            (told.ticks_per_beat, told.bpm) = (1920, 99)
                            cjack_write_bar(position, &told)
                        }, nil)
                    #expect(jack_activate(other.handle) == 0)
                    if rolls { jack_transport_start(other.handle) }
                    _ = try await report(driver.engine) { !$0.leadsJack }
                }
                _ = try await report(driver.engine) { $0.leadsJack }
            }
        }
    }
}
