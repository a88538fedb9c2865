import DaemonTestSupport
import Grid
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport
import Testing
import Wire

/// Touch in, sound out, frame back: on a real JACK server, over the real socket.
@Suite(.timeLimit(.minutes(1))) struct PlayingTests {
    /// A note that the test taps, and how it should sound.
    private struct Note {
        let column: Int
        let row: Int
        let step: Int
        let track: Track
        /// Hz; nil for drums, whose pitch glides.
        let frequency: Double?
    }

    // At 120 BPM and 48 kHz a step has 6000 frames.
    private static let stepFrames = 6000
    private static let notes = [
        Note(column: 4, row: 7, step: 0, track: .melody, frequency: 261.626),
        Note(column: 9, row: 5, step: 5, track: .melody, frequency: 329.628),
        Note(column: 13, row: 17, step: 8, track: .bass, frequency: nil),
        Note(column: 7, row: 21, step: 3, track: .rhythm, frequency: nil),
        Note(column: 16, row: 19, step: 11, track: .rhythm, frequency: nil),
    ]

    @Test func `tapped notes are heard on their frames and seen on the grid`() async throws {
        try await Stage.with { stage in
            let player = try await stage.connect()
            let watcher = try await stage.daemon.connect()
            let watching = try await watcher.subscribe(to: [.frame])
            // Drift would detune the notes by up to 2.5 cents.
            for track in Track.allCases { try await player.set(track, [.drift: .number(0)]) }
            for note in Self.notes {
                let reply = try await player.tap(column: note.column, row: note.row)
                #expect(reply.gesture == "tap")
                #expect(reply.frame != nil)
            }

            let ports = ["main_L", "main_R"] + Track.allCases.map(\.name)
            let recorder = try JackRecorder(ports.map { "pixelboop:\($0)" }, of: stage.server)
            defer { recorder.close() }
            // The sounds of the taps must end first.
            #expect(await recorder.record(frames: 24000))
            let steps = try await player.subscribe(to: [.step])
            try await player.play()
            let start = try await firstFrame(of: steps)
            #expect(await recorder.record(frames: 14 * Self.stepFrames))
            try await player.stop()
            #expect(await recorder.record(frames: 4800))

            check(recorder.recording, startingAt: start, ports: ports)
            try await check(watching, endsLike: player)
        }
    }

    /// The audio frame, by JACK's count, on which the first step started.
    private func firstFrame(of steps: Subscription) async throws -> UInt32 {
        for try await event in steps {
            guard case .step(let step) = event else { continue }
            #expect(step.step == 0)
            return UInt32(truncatingIfNeeded: step.frame)
        }
        throw ClientError.connectionLost(reason: "no step started")
    }

    private func check(_ recording: JackRecording, startingAt start: UInt32, ports: [String]) {
        #expect(recording.isContinuous)
        let first = recording.channels[0].indices.first { recording.frame(ofSample: $0) == start } ?? 0
        for note in Self.notes {
            let expected = first + note.step * Self.stepFrames
            let channel = ports.firstIndex(of: note.track.name)!
            #expect(recording.onset(channel: channel, from: expected - 100) == expected, "\(note)")
            for main in 0...1 {
                let loudest = recording.channels[main][expected..<(expected + 2000)].map(abs).max() ?? 0
                #expect(loudest > 0.01, "\(note) on \(ports[main])")
            }
            guard let frequency = note.frequency else { continue }
            let stretch = recording.channels[channel][(expected + 1500)..<(expected + 4500)]
            let tone = Tone(in: stretch, near: frequency, sampleRate: 48000)
            #expect(abs(cents(tone.frequency, above: frequency)) < 1, "\(note)")
        }
    }

    /// Reads diffs up to the daemon's current picture; the last ones may still be on their way.
    private func check(_ watching: Subscription, endsLike player: PixelBoopClient) async throws {
        // Two pictures of a stopped instrument that is left alone differ in the music key at most.
        let final = try await player.frame()
        for try await event in watching {
            guard case .frame(let picture) = event, picture.sequence >= final.sequence else { continue }
            if picture.sequence == final.sequence { #expect(picture.frame == final.frame) }
            break
        }
    }

    @Test func `a client that applies diffs always has the frame that the daemon has`() async throws {
        try await Stage.with { stage in
            let player = try await stage.connect()
            let watcher = try await stage.daemon.connect()
            var pictures = try await watcher.subscribe(to: [.frame], maximumFrameRate: 240).makeAsyncIterator()
            var seen: [Int: Frame] = [:]
            var compared = 0
            var generator = SeededGenerator(seed: 7)
            for _ in 0..<200 {
                let column = Int.random(in: 0..<44, using: &generator)
                let row = Int.random(in: 1..<24, using: &generator)
                try await player.tap(column: column, row: row)
                let now = try await player.frame()
                while seen.keys.max() ?? 0 < now.sequence, case .frame(let picture)? = try await pictures.next() {
                    seen[picture.sequence] = picture.frame
                }
                guard let frame = seen[now.sequence] else { continue }
                #expect(frame == now.frame)
                compared += 1
            }
            #expect(compared > 50)
        }
    }
}
