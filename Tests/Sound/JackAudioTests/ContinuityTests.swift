import Engine
import Instrument
import JackAudio
import JackTestSupport
import Music
import TestSupport
import Testing

/// What is heard when JACK changes while music plays.
@Suite(.timeLimit(.minutes(1))) struct ContinuityTests {
    private static let melody = 0
    private static let rhythm = 3
    /// E4: a long note in each loop of a second, and a closed hat on each step of an eighth of a second.
    private static let score = Score.test {
        $0.add(note: 4, track: melody, steps: [0])
        for step in 1..<8 { $0[playing: melody].notes[step][4] = .sustain }
        $0.add(note: 7, track: rhythm, steps: Array(0..<8))
    }
    private static let frequency = 329.628

    /// What happens to a server.
    enum Change: CaseIterable {
        case period
        case freewheel
        case otherClients

        func happen(on server: JackServer, _ driver: RunningDriver, _ recorder: JackRecorder) async throws {
            switch self {
            case .period:
                for period in [64, 1024, 16, 4096, 512] {
                    try await JackTool.run("jack_bufsize", "\(period)", on: server)
                    try await driver.next { event in
                        if case .status(let status) = event, status.session?.period == period { true } else { nil }
                    }
                    #expect(await recorder.record(frames: 9000))
                }
            case .freewheel:
                for _ in 0..<3 {
                    try recorder.setFreewheel(true)
                    #expect(await recorder.record(frames: 48000))
                    #expect(driver.supervisor.statistics.isFreewheeling)
                    try recorder.setFreewheel(false)
                    #expect(await recorder.record(frames: 9000))
                    #expect(!driver.supervisor.statistics.isFreewheeling)
                }
            case .otherClients:
                for _ in 0..<3 {
                    let other = try JackRecorder(["pixelboop:bass", "pixelboop:main_L"], of: server)
                    #expect(await other.record(frames: 4800))
                    other.close()
                }
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `neither clicks nor loses time`(change: Change) async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                driver.engine.publish(Self.score)
                _ = try await driver.session()
                let recorder = try JackRecorder(["pixelboop:melody", "pixelboop:rhythm"], of: server, seconds: 120)
                defer { recorder.close() }
                #expect(driver.engine.send(.play, at: 0))
                #expect(await recorder.record(frames: 48000))
                try await change.happen(on: server, driver, recorder)
                #expect(await recorder.record(frames: 24000))

                let recording = recorder.recording
                let notes = recording.channels[0]
                let steady = notes[12000..<36000]
                #expect(steady.contains { abs($0) > 0.01 })
                #expect(notes.suffix(20000).contains { abs($0) > 0.01 })
                #expect(notes.steepestStep <= steady.steepestStep + 0.002)
                // JACK's own count skips a period whenever its driver restarts.
                let onsets = recording.onsetIndices(channel: 1, afterSilence: 500)
                #expect(onsets.count > 12)
                #expect(zip(onsets, onsets.dropFirst()).allSatisfy { $1 - $0 == 6000 })
            }
        }
    }

    @Test(arguments: [44100, 96000, 192_000])
    func `continues in time and in tune at another sample rate and period`(rate: Int) async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                driver.engine.publish(Self.score)
                _ = try await driver.session()
                #expect(driver.engine.send(.play, at: 0))
                await server.kill()
                try await driver.next(.lost)
                server.sampleRate = rate
                server.period = 1024
                try await server.start()
                let session = try await driver.session()
                #expect(session.sampleRate == rate && session.period == 1024)
                let recorder = try JackRecorder(["pixelboop:melody", "pixelboop:rhythm"], of: server)
                defer { recorder.close() }
                #expect(await recorder.record(frames: 2 * rate + rate / 2))

                let recording = recorder.recording
                let step = Double(rate) / 8
                // The first may be where the recording began.
                let onsets = recording.onsetIndices(channel: 1, afterSilence: rate / 96).dropFirst()
                #expect(onsets.count > 12)
                #expect(zip(onsets, onsets.dropFirst()).allSatisfy { abs(Double($1 - $0) - step) < 1 })
                // The middle of the last long note that was recorded whole.
                let notes = recording.channels[0]
                let starts = recording.onsetIndices(channel: 0, afterSilence: rate / 50)
                let start = try #require(starts.last { $0 + rate <= notes.count })
                let tone = Tone(
                    in: notes[(start + rate / 4)..<(start + rate / 2)], near: Self.frequency,
                    sampleRate: Double(rate))
                #expect(abs(cents(tone.frequency, above: Self.frequency)) < 1)
            }
        }
    }
}
