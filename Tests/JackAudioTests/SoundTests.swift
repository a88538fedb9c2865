import Engine
import JackAudio
import JackTestSupport
import Music
import Testing

/// Sound on a real server.
@Suite(.timeLimit(.minutes(5))) struct SoundTests {
    /// A drum whose first sample is already loud: noise.
    private static let closedHat = 7
    private static let rhythm = 3
    private static let melody = 0

    @Test(arguments: [16, 64, 1024])
    func `starts every note on the frame that the engine reports`(period: Int) async throws {
        try await JackServer.with(period: period) { server in
            try await RunningDriver.with(server) { driver in
                driver.engine.publish(
                    .test {
                        $0.parameters[.tempo] = 240
                        $0.add(note: Self.closedHat, track: Self.rhythm, steps: [0, 3, 5, 6])
                    })
                _ = try await driver.session()
                let recorder = try JackRecorder(["pixelboop:rhythm"], of: server)
                defer { recorder.close() }
                #expect(driver.engine.send(.play, at: 0))
                #expect(await recorder.record(frames: 72000))
                #expect(driver.engine.send(.stop, at: 0))

                let recording = recorder.recording
                let last = recording.frame(ofSample: recording.channels[0].count - 1)
                let told = startedNotes(driver.engine).filter { Int32(bitPattern: last &- $0) > 0 }
                #expect(told.count >= 8)
                #expect(recording.onsets(channel: 0, afterSilence: 500) == told)
            }
        }
    }

    /// The frames, as JACK counts them, on which heads on the rhythm track were started.
    private func startedNotes(_ engine: Engine) -> [UInt32] {
        var frames: [UInt32] = []
        while let notice = engine.nextNotice() {
            if case .step(_, let frame, _, let notes, _) = notice, !notes[Self.rhythm].stepNotes.isEmpty {
                frames.append(UInt32(truncatingIfNeeded: frame))
            }
        }
        return frames
    }

    @Test func `fades out without a click when it stops`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                driver.engine.publish(
                    .test {
                        $0.add(note: 4, track: Self.melody, steps: [0])
                        for step in 1..<8 { $0.notes[0][step][4] = .sustain }
                    })
                _ = try await driver.session()
                let recorder = try JackRecorder(["pixelboop:melody"], of: server)
                defer { recorder.close() }
                #expect(driver.engine.send(.play, at: 0))
                #expect(await recorder.record(frames: 24000))
                #expect(driver.engine.send(.silence, at: 0))
                await driver.supervisor.stop()
                #expect(await recorder.record(frames: 4800))

                let samples = recorder.recording.channels[0]
                let end = try #require(samples.lastIndex { $0 != 0 })
                let steady = samples[(end - 9600)..<(end - 4800)]
                let ending = samples[(end - 4800)...]
                #expect(steady.contains { abs($0) > 0.01 })
                #expect(steepest(ending) <= steepest(steady) + 0.002)
            }
        }
    }

    @Test func `plays on when the server comes back`() async throws {
        try await JackServer.with { server in
            try await RunningDriver.with(server) { driver in
                driver.engine.publish(
                    .test { $0.add(note: Self.closedHat, track: Self.rhythm, steps: Array(0..<8)) })
                _ = try await driver.session()
                #expect(driver.engine.send(.play, at: 0))
                try await hearRhythm(server)
                await server.kill()
                try await driver.next(.lost)
                try await server.start()
                try await driver.next(.running)
                try await hearRhythm(server)
            }
        }
    }

    private func hearRhythm(_ server: JackServer) async throws {
        let recorder = try JackRecorder(["pixelboop:main_L"], of: server)
        defer { recorder.close() }
        #expect(await recorder.hear(channel: 0))
    }
}
