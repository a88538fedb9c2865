import Glibc
import Instrument
import JackTestSupport
import Music
import Testing

@testable import JackAudio

/// The client on a real server.
@Suite(.timeLimit(.minutes(1))) struct ClientTests {
    @Test func `shows its ports to other clients`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                let session = try await driver.session()
                #expect(session.clientName == "pixelboop")
                #expect(session.sampleRate == 48000)
                #expect(session.period == 256)
                let ports = try await JackTool.run("jack_lsp", "-p", "-t", "pixelboop", on: server)
                let audio = "\n\tproperties: output,terminal,\n\t32 bit float mono audio\n"
                let midi = "terminal,\n\t8 bit raw midi\n"
                #expect(
                    ports
                        == [
                            "main_L", "main_R", "melody", "chords", "bass", "rhythm", "reverb_L", "reverb_R", "delay_L",
                            "delay_R",
                        ]
                        .map { "pixelboop:\($0)\(audio)" }.joined()
                        + "pixelboop:midi_in\n\tproperties: input,\(midi)"
                        + "pixelboop:midi_out\n\tproperties: output,\(midi)"
                        + "pixelboop:clock_out\n\tproperties: output,\(midi)")
            }
        }
    }

    @Test func `a client that was opened before the driver ran is the driver's, once`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server, opensEarly: true) { driver in
                #expect(try await driver.session().clientName == "pixelboop")
                await server.kill()
                try await driver.next(.lost)
                try await server.start()
                #expect(try await driver.session().clientName == "pixelboop")
                let clients = try await JackTool.run("jack_lsp", on: server)
                #expect(clients.split(separator: "\n").count { $0.hasSuffix(":main_L") } == 1)
            }
        }
    }

    @Test func `an early opening without a server is a failed attempt like others`() async throws {
        try await JackServer.with { server in
            await server.kill()
            try await RunningDriver.with(
                server, { $0.patience.longestRetry = $0.patience.firstRetry }, opensEarly: true
            ) { driver in
                try await driver.next(.noServer)
                try await server.start()
                try await driver.next(.running)
            }
        }
    }

    /// With 32 messages unread in the socket of a client that is being closed, jackd hangs.
    @Test func `sets no more than 32 properties in two pieces, and begins after the first sound`() throws {
        var schedule = DescriptionSchedule()
        var (now, pieces): (Duration, [Duration]) = (.seconds(1), [])
        #expect(schedule.due == nil)
        schedule.heard(at: now)
        for piece in 0..<4 {
            #expect(schedule.fetchDue(at: now) == nil)
            now = try #require(schedule.due)
            #expect(schedule.fetchDue(at: now) == piece)
            pieces.append(now)
            schedule.heard(at: now)
            #expect(schedule.due == nil)
            now += .milliseconds(3)
            schedule.goOn(at: now)
        }
        #expect(pieces[0] == .seconds(1) + DescriptionSchedule.delay)
        for (earlier, later) in zip(pieces, pieces.dropFirst()) { #expect(later - earlier >= .milliseconds(25)) }
        #expect(2 * JackMetadata.pieceSize <= 32)
    }

    @Test func `reports the name that JACK gave it when its own is taken`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server, { $0.clientName = "recorder" }) { driver in
                _ = try await driver.session()
                let recorder = try JackRecorder(["recorder:main_L"], of: server)
                defer { recorder.close() }
                #expect(recorder.inputName(0) == "recorder-01:in_1")
            }
            let recorder = try JackRecorder([], of: server)
            defer { recorder.close() }
            try await RunningDriver.with(server, { $0.clientName = "recorder" }) { driver in
                let session = try await driver.session()
                #expect(session.clientName == "recorder-01")
            }
        }
    }

    @Test func `reports whether it has real-time scheduling`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                let priority = try await driver.session().realtimePriority
                #expect((priority != nil) == JackServer.isRealtime)
            }
        }
    }

    @Test func `the thread of the process callback has its own name`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                let earlier = try ThreadTimes(of: getpid())
                _ = try await driver.session()
                let recorder = try JackRecorder(["pixelboop:main_L"], of: server)
                defer { recorder.close() }
                #expect(await recorder.record(frames: 48000))
                let times = try ThreadTimes(of: getpid()).milliseconds(since: earlier)
                let used = Dictionary(uniqueKeysWithValues: times.map { ($0.name, $0.milliseconds) })
                #expect(try #require(used["jack-process"]) > 0)
                #expect(used["jack-calls"] != nil)
            }
        }
    }

    @Test func `reports that there is no server, and joins one as soon as it runs`() async throws {
        try await JackServer.with(isStarted: false) { server in
            try await RunningDriver.with(server) { driver in
                let status = try await driver.next(.noServer)
                #expect(status.reason == "no JACK server '\(server.name)' is running")
                #expect(status.session == nil)
                try await server.start()
                let session = try await driver.session()
                #expect(session.clientName == "pixelboop")
            }
        }
    }

    @Test func `measures its callback`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                _ = try await driver.session()
                let recorder = try JackRecorder(["pixelboop:main_L"], of: server)
                defer { recorder.close() }
                #expect(await recorder.record(frames: 48000))
                let statistics = driver.supervisor.statistics
                #expect(statistics.cycles >= 48000 / 256)
                #expect(statistics.worstCallback > 0)
                #expect(statistics.load >= 0 && statistics.load <= 100)
            }
        }
    }
}
