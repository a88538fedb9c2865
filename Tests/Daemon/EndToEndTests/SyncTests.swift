import DaemonTestSupport
import Foundation
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import ProgramTestSupport
import Synchronization
import TestSupport
import Testing
import Wire

/// `pixelboop sync` and the daemon; this needs no JACK server.
@Suite(.timeLimit(.minutes(1))) struct SyncCommandTests {
    @Test func `the daemon stores its options, or refuses them with the allowed values`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        let client = try await daemon.connect()
        func sync(_ options: String) async throws -> Program.Outcome {
            try await Program.run(["sync"] + options.split(separator: " ").map(String.init), socket: daemon.socketPath)
        }
        let taken: [(String, Parameter, ParameterValue)] = [
            ("timeline", .syncSource, .choice(SyncSource.timeline)), ("--quantum 64", .syncQuantum, .number(64)),
            ("--no-start-stop", .syncStartStop, .toggle(false)), ("--start-stop", .syncStartStop, .toggle(true)),
            ("--offset-in -200", .syncOffsetIn, .number(-200)), ("--offset-out 12.5", .syncOffsetOut, .number(12.5)),
            ("--lead midi", .syncLead, .selection(["midi"])),
            ("--latency compensate", .syncLatency, .choice("compensate")),
        ]
        for (options, parameter, value) in taken {
            #expect(try await sync(options).status == 0)
            #expect(try await client.state().state.settings[parameter] == value, "\(options)")
        }
        let settings = try await client.state().state.settings
        let refused = [
            ("--quantum 0", "quantum: expected an integer from 1 to 64, got 0"),
            ("--quantum 65", "quantum: expected an integer from 1 to 64, got 65"),
            ("--quantum 1.5", "quantum: expected an integer from 1 to 64, got 1.5"),
            ("--offset-in -200.5", "offsetIn: expected a number from -200 to 200, got -200.5"),
            ("--offset-out 201", "offsetOut: expected a number from -200 to 200, got 201"),
            // One wrong option leaves all unchanged.
            ("auto --lead jack --quantum 99", "quantum: expected an integer from 1 to 64, got 99"),
        ]
        for (options, words) in refused {
            let outcome = try await sync(options)
            #expect(outcome.status == 1 && outcome.complaint == "pixelboop: \(words)\n")
        }
        #expect(try await client.state().state.settings == settings)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}

/// Two instruments on one JACK server.
@Suite(.timeLimit(.minutes(1))) struct SyncTests {
    /// Starts a second instrument; both have the same beat.
    private func twoInstruments(on stage: Stage) async throws -> (PixelBoopClient, DaemonProcess, PixelBoopClient) {
        let leader = try await stage.connect()
        let second = try DaemonProcess(jackServer: stage.server.name, flags: ["--client-name", "second"])
        try await second.start()
        let follower = try await second.connect()
        try await follower.waitForState { $0.audio.status == .running }
        for client in [leader, follower] {
            // A closed hat on every fourth step: its first sample is loud.
            for step in stride(from: 0, to: 32, by: 4) {
                try await client.setNote(.rhythm, step: step, note: 7, .accent)
            }
        }
        try await leader.setTempo(150)
        return (leader, second, follower)
    }

    @Test(arguments: [64, 1024])
    func `one leads JACK's transport and another follows, to the frame`(period: Int) async throws {
        try await Stage.with(period: period) { stage in
            let (leader, second, follower) = try await twoInstruments(on: stage)
            try await leader.setSync([.syncLead: .selection(["jack"])])
            try await follower.setSync([.syncSource: "jack"])
            try await leader.waitForState { $0.sync.leading == [.jack] }

            let recorder = try JackRecorder(["pixelboop:rhythm", "second:rhythm"], of: stage.server)
            defer { recorder.close() }
            // Whoever presses play starts both.
            try await follower.play()
            try await leader.waitForState { $0.transport.state == .playing }
            try await follower.waitForState { $0.sync.following == .jack && $0.sync.bpm == 150 }
            #expect(await recorder.record(frames: 48_000 * 4))
            let refusal = await #expect(throws: ClientError.self) { try await follower.setTempo(99) }
            guard case .refused(let error)? = refusal else { return #expect(Bool(false)) }
            #expect(error.code == .followsOutside)
            try await leader.stop()
            try await follower.waitForState { $0.transport == TransportStatus(state: .stopped, step: 0) }

            let recording = recorder.recording
            let (led, followed) = (
                recording.onsets(channel: 0, afterSilence: 500), recording.onsets(channel: 1, afterSilence: 500)
            )
            #expect(led.count >= 8 && abs(led.count - followed.count) <= 1)
            // The same beats, each within a frame.
            for onset in followed.dropFirst() {
                #expect(led.contains { abs(Int32(bitPattern: $0 &- onset)) <= 1 })
            }
            _ = await second.end(with: SIGTERM)
        }
    }

    @Test func `a client's timeline is followed to the frame, and lost with its client`() async throws {
        // A late period upsets JACK's time for a second or two, in which the music lags.
        try await untilCalm { isLast in try await followsTimeline(toleratingLatePeriods: !isLast) }
    }

    /// Follows a client's timeline for 24 steps.
    ///
    /// - Parameter toleratingLatePeriods: Whether a late period excuses any error; if not, it excuses 10 ms.
    /// - Returns: Whether no period was late.
    private func followsTimeline(toleratingLatePeriods: Bool) async throws -> Bool {
        let wasCalm = Mutex(false)
        try await Stage.with(flags: ["--sync", "auto"]) { stage in
            let (holder, watcher) = (try await stage.connect(), try await stage.connect())
            try await holder.hello(client: "light desk", touch: nil)
            let steps = try await watcher.subscribe(to: [.step])
            let now = try await holder.clockTimes()
            #expect(abs(now.jack - now.monotonicRaw) < 100 || abs(now.jack - now.monotonic) < 100)
            try await holder.holdTimeline(beat: 0.5, usecs: now.jack, bpm: 180, isPlaying: true)
            try await watcher.waitForState { $0.sync.holder == "light desk" && $0.sync.following == .timeline }
            let xruns = try await watcher.statistics().audio.xruns
            // A step's time is that of its frame, the timeline's that at which it is heard.
            var (heard, earliness): ([Int], [Double]) = ([], [])
            for try await event in steps {
                guard case .step(let step) = event else { continue }
                heard.append(step.step)
                // Beat 4 is the first multiple of the quantum.
                let beats = 4 - 0.5 + Double(earliness.count) / 4
                earliness.append(Double(now.jack) + beats * 60e6 / 180 - Double(step.usecs))
                if earliness.count == 24 { break }
            }
            let playing = try await watcher.playingMoment()
            let isCalm = try await watcher.statistics().audio.xruns == xruns
            if isCalm || !toleratingLatePeriods {
                let tolerance = isCalm ? 500.0 : 10_000
                #expect(heard == (16..<40).map { $0 % 32 })
                let latency = earliness[0]
                #expect((-500...30_000).contains(latency))
                #expect(earliness.allSatisfy { abs($0 - latency) < tolerance }, "\(earliness)")
                let lead = playing.beat - 0.5 - Double(playing.usecs - now.jack) * 180 / 60e6
                #expect(abs(lead) < 0.002 * tolerance / 500)
            }
            holder.close()
            try await watcher.waitForState { $0.sync.holder == nil && $0.sync.following == .own && $0.bpm == 180 }
            #expect(try await watcher.state().state.transport.state == .playing)
            wasCalm.withLock { $0 = isCalm }
        }
        return wasCalm.withLock { $0 }
    }

    @Test func `one sends MIDI clock and another follows it`() async throws {
        try await Stage.with { stage in
            let (leader, second, follower) = try await twoInstruments(on: stage)
            try await leader.setSync([.syncLead: .selection(["midi"])])
            try await follower.setSync([.syncSource: "midi"])
            try await JackTool.run("jack_connect", "pixelboop:clock_out", "second:midi_in", on: stage.server)
            try await follower.waitForState { $0.sync.following == .midi && $0.sync.locked }

            let recorder = try JackRecorder(["pixelboop:rhythm", "second:rhythm"], of: stage.server)
            defer { recorder.close() }
            try await leader.play()
            try await follower.waitForState { $0.transport.state == .playing }
            #expect(await recorder.record(frames: 48_000 * 6))
            try await leader.stop()
            try await follower.waitForState { $0.transport.state == .paused }

            let recording = recorder.recording
            let (led, followed) = (
                recording.onsets(channel: 0, afterSilence: 500), recording.onsets(channel: 1, afterSilence: 500)
            )
            #expect(led.count >= 12 && abs(led.count - followed.count) <= 1)
            // A quarter of a millisecond after one bar.
            for onset in followed.dropFirst(5) {
                #expect(led.contains { abs(Int32(bitPattern: $0 &- onset)) <= 12 })
            }
            _ = await second.end(with: SIGTERM)
        }
    }
}
