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
            let (status, log) = (await stage.daemon.end(with: SIGTERM), await stage.daemon.log)
            #expect(status == 0, "\(log.suffix(2000))")
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

    @Test(arguments: [SIGTERM, SIGKILL])
    func `each take is what listeners of the internal driver heard, up to the end or a moment before kill -9`(
        signal: Int32
    ) async throws {
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
        #expect(await daemon.end(with: signal) == (signal == SIGKILL ? -SIGKILL : 0))
        let all = await hearing.value
        let replayed = try await ReplayedTakes(of: daemon, [.mainLeft, .mainRight])
        // An orderly end loses nothing.
        let blocks = signal == SIGKILL ? all.filter { $0.frame + 960 <= replayed.end } : all
        #expect(all.count - blocks.count < 100, "two seconds")
        let skipped = zip(blocks, blocks.dropFirst()).count { $0.frame + 960 != $1.frame }
        var (dither, loud, different) = (Dither(), 0, 0)
        // Blocks that the listener missed since the last one with noise. They had noise of their own, unless they were silent
        // or the driver missed them, too.
        var (missed, next) = (0, blocks.first?.frame ?? 0)
        for block in blocks {
            let played = replayed.interleaved(block.frame..<block.frame + 960)
            missed += max(0, Int(block.frame - next) / 960)
            next = block.frame + 960
            if !dither.reaches(block.pcm, of: played, skipping: 0...missed) { different += 1 }
            if block.pcm != nil { (loud, missed) = (loud + 1, 0) }
        }
        print(
            """
            internal driver: \(960 * blocks.count) frames compared, \(loud) of \(blocks.count) blocks not silent, \
            \(skipped) gaps; \(all.count - blocks.count) blocks before the end of a killed daemon
            """)
        #expect(different == 0, "\(different) of \(blocks.count) blocks; \(statistics.audio.xruns) xruns")
        #expect(blocks.count > Int(Self.seconds * 40) && loud > blocks.count / 10 && skipped > 0)
        #expect(replayed.takes.allSatisfy { $0.progress.inexactFrom == nil } && replayed.hasAllSamples)
    }
}

extension Dither {
    /// Whether samples become some bytes after the noise of some blocks; if so, that noise is past.
    fileprivate mutating func reaches(_ bytes: [UInt8]?, of samples: [Float], skipping blocks: ClosedRange<Int>) -> Bool
    {
        let before = self
        for _ in blocks {
            var attempt = self
            if attempt.bytes(of: samples) == bytes {
                self = attempt
                return true
            }
            _ = self.bytes(of: [Float](repeating: 1, count: samples.count))
        }
        self = before
        return false
    }
}
