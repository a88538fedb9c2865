import Engine
import JackAudio
import JackTestSupport
import Music
import Testing

/// Sound on a real server.
@Suite(.timeLimit(.minutes(1))) struct SoundTests {
    /// A drum whose first sample is already loud: noise.
    private static let closedHat = 7
    private static let rhythm = 3

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
            if case .step(let step) = notice, !step.notes[Self.rhythm].stepNotes.isEmpty {
                frames.append(UInt32(truncatingIfNeeded: step.frame))
            }
        }
        return frames
    }
}
