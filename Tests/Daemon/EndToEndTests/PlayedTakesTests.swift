import DaemonTestSupport
import Engine
import Foundation
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import Takes
import TestSupport
import Testing
import Wire

@testable import Control

/// Takes of random sessions, played again: bit for bit what others heard.
///
/// `PIXELBOOP_TAKE_SESSIONS` sets how many sessions there are, `PIXELBOOP_TAKE_SECONDS` how long each lasts, and
/// `PIXELBOOP_TAKE_SEED` the first seed.
@Suite(.serialized, .timeLimit(.minutes(240))) struct PlayedTakesTests {
    private static let sessions = repetitions("PIXELBOOP_TAKE_SESSIONS", 3, long: 6)
    private static let seconds = Double(repetitions("PIXELBOOP_TAKE_SECONDS", 6, long: 60))
    private static let seed = UInt64(repetitions("PIXELBOOP_TAKE_SEED", 1, long: 1))

    private static let ports: [EnginePort] =
        [.mainLeft, .mainRight, .track(.melody), .track(.chords), .track(.bass), .track(.rhythm)]

    @Test(arguments: 0..<sessions)
    func `each take is what another JACK client recorded, sample for sample, before and after the server is killed`(
        session: Int
    ) async throws {
        let period = [64, 256, 1000][session % 3]
        try await Stage.with(period: period, limit: .seconds(120 + 6 * Self.seconds)) { stage in
            try RandomKits.write(to: stage.daemon.directory.appending(path: "data"))
            let band = RandomBand(daemon: stage.daemon, seed: Self.seed + UInt64(session))
            var recordings: [(JackRecording, first: Int)] = []
            for part in 0..<2 {
                if part == 1 {
                    await stage.server.kill()
                    try await stage.server.start()
                }
                let client = try await stage.connect()
                defer { client.close() }
                let recorder = try JackRecorder(
                    Self.ports.map { "pixelboop:\($0.name)" }, of: stage.server, seconds: 30 + Self.seconds)
                defer { recorder.close() }
                #expect(await recorder.record(frames: 2 * period))
                let first = recorder.recording.channels[0].count
                if part == 0 {
                    // The folder was written after the daemon had looked for kits.
                    _ = try await client.kits(reloading: true)
                    try await client.set(.rhythm, [.kit: .choice(RandomKits.names[session % 2])])
                    try await client.play()
                }
                try await band.play(seconds: Self.seconds / 2, on: stage.server)
                #expect(await recorder.record(frames: 2 * period))
                recordings.append((recorder.recording, first))
            }
            #expect(await stage.daemon.end(with: SIGTERM) == 0)
            let replayed = try await ReplayedTakes(of: stage.daemon, Self.ports)
            var sum = ReplayedTakes.Comparison()
            for (era, (recording, first)) in recordings.enumerated() {
                sum += replayed.comparison(with: recording, from: first, era: era)
            }
            print(
                """
                session \(session), period \(period), \(replayed.takes.count) takes, \(replayed.kitCount) kits: \(sum)
                """)
            #expect(sum.different == 0, "\(sum)")
            #expect(sum.missing == 0, "\(sum)")
            #expect(sum.share >= 0.95 && sum.loud > sum.recorded / 10, "\(sum)")
            #expect(replayed.takes.allSatisfy { $0.progress.inexactFrom == nil && !$0.isCurrent })
            #expect(replayed.kitCount > 0 && replayed.hasAllSamples)
        }
    }

    @Test func `after kill -9 the take is what was recorded, up to a moment before`() async throws {
        try await Stage.with { stage in
            try RandomKits.write(to: stage.daemon.directory.appending(path: "data"))
            let client = try await stage.connect()
            let recorder = try JackRecorder(Self.ports.map { "pixelboop:\($0.name)" }, of: stage.server, seconds: 30)
            defer { recorder.close() }
            #expect(await recorder.record(frames: 512))
            let first = recorder.recording.channels[0].count
            try await client.play()
            let band = RandomBand(daemon: stage.daemon, seed: Self.seed)
            try await band.play(seconds: Self.seconds / 2, on: stage.server)
            _ = await stage.daemon.end(with: SIGKILL)
            let recording = recorder.recording
            let replayed = try await ReplayedTakes(of: stage.daemon, Self.ports)
            let comparison = replayed.comparison(with: recording, from: first, era: 0)
            // Where the daemon's ports fell silent, at the latest.
            let end = Int64(recording.frame(ofSample: recording.channels[0].count - 1))
            print("killed, \(Double(end - replayed.end) / 48_000) s before the recording's end: \(comparison)")
            #expect(comparison.different == 0 && comparison.share >= 0.95, "\(comparison)")
            #expect(end - replayed.end < 96_000 && comparison.compared > 48_000)
            #expect(replayed.takes.last?.isSketch == false)
        }
    }

    @Test func `each take is what listeners of the internal driver heard, but for the periods that it skipped`()
        async throws
    {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody", flags: ["--driver", "internal"])
        try RandomKits.write(to: daemon.directory.appending(path: "data"))
        try await daemon.start()
        let client = try await daemon.connect()
        try await client.waitForState { $0.audio.status == .running }
        let listener = try await daemon.connect()
        let subscription = try await listener.subscribe(to: [.audio])
        let hearing = Task {
            var blocks: [AudioEvent] = []
            // Until the daemon ends.
            do {
                for try await case .audio(let block) in subscription { blocks.append(block) }
            } catch {}
            return blocks
        }
        try await client.play()
        let band = RandomBand(daemon: daemon, seed: Self.seed)
        for part in 0..<3 {
            try await band.play(seconds: Self.seconds / 3)
            guard part < 2 else { break }
            await daemon.suspend()
            try await Task.sleep(for: .milliseconds(700))
            await daemon.resume()
        }
        let statistics = try await listener.statistics()
        #expect(await daemon.end(with: SIGTERM) == 0)
        let blocks = await hearing.value
        let skipped = zip(blocks, blocks.dropFirst()).count { $0.frame + 960 != $1.frame }
        let replayed = try await ReplayedTakes(of: daemon, [.mainLeft, .mainRight])
        var (dither, loud, different) = (Dither(), 0, 0)
        for block in blocks {
            let again = dither.bytes(of: replayed.interleaved(block.frame..<block.frame + 960))
            if block.pcm != nil { loud += 1 }
            if again != block.pcm { different += 1 }
        }
        print(
            """
            internal driver: \(960 * blocks.count) frames compared, \(loud) of \(blocks.count) blocks not silent, \
            \(skipped) gaps
            """)
        #expect(different == 0, "\(different) of \(blocks.count) blocks; \(statistics.audio.xruns) xruns")
        #expect(blocks.count > Int(Self.seconds * 40) && loud > blocks.count / 10 && skipped > 0)
        #expect(replayed.takes.allSatisfy { $0.progress.inexactFrom == nil } && replayed.hasAllSamples)
    }
}
