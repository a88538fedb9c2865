import Engine
import Export
import Foundation
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Takes

/// Takes that were damaged: whatever is read, nothing traps, and everything comes to an end.
@Suite(.timeLimit(.minutes(isLongRun ? 30 : 3))) struct TakeDamageTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A take with everything that a log may have, expanded.
    private func take() async throws -> (take: KeptTake, content: [UInt8]) {
        let instrument = try RecordedInstrument(.forTakes, in: directory.path)
        let print = KitFingerprint(
            name: "Dust", sampleRate: 8000, drums: Drum.allCases.map { .init(drum: $0.rawValue, file: 1, samples: 2) })
        instrument.publish(
            SampleKit(
                sampleRate: 8000, samples: [[Float]?](repeating: [1, 0.5, -0.5], count: 12), fingerprint: print))
        instrument.driver.schedule(.command(.play), at: 0)
        for part in 0..<6 {
            let driver = instrument.driver
            instrument.change { document in
                document.set(.tempo, to: .number(Double(100 + 20 * part)))
                document.set(.syncSource, to: .choice(SyncSource.allCases[part % SyncSource.allCases.count]))
                document.set(.tone, on: .bass, to: .number(Double(part)))
                document.apply(.launch([Slot(.melody, part % 8)]))
            }
            instrument.follow(Timeline(beat: Double(part), usecs: 1000, bpm: 120, isPlaying: true, quantum: 4))
            var punchIns = PunchIns()
            for effect in PunchEffect.allCases {
                (punchIns[effect].number, punchIns[effect].isHeld) = (UInt32(part), part % 2 == 0)
                (punchIns[effect].amount, punchIns[effect].tracks[part % 4]) = (0.7, true)
            }
            driver.engine.publish(punchIns)
            for byte in [0xfa, 0xf8, 0xf8] as [UInt8] { driver.receive(MidiEvent(frame: 0, byte), at: driver.frame) }
            driver.receive(MidiEvent(frame: 0, count: 3, 0x90, 60, 100), at: driver.frame + 20)
            driver.schedule(.key(RtKey(owner: 1, track: 1, key: 62, velocity: 90)), at: driver.frame)
            driver.outside = { _ in
                var outside = OutsidePosition()
                (outside.isRolling, outside.frame) = (true, Int64(1000 * part))
                outside.bar = BarPosition(
                    bar: 1, beat: 1, tick: Double(part) * 10.5, isExact: true, barStartTick: 0, frameOffset: 0,
                    beatsPerBar: 4, beatType: 4, ticksPerBeat: 1920, bpm: 120)
                return outside
            }
            instrument.render(0.15)
            driver.skip(500)
            instrument.render(0.1)
        }
        let kept = try #require(try await instrument.store.entries().last)
        let pieces = try await instrument.store.pieces(of: kept.number, from: 0)
        #expect(instrument.store.close(within: .seconds(10)))
        return (kept, try TakeDamage.content(of: pieces))
    }

    @Test func `damaged content is refused or rendered`() async throws {
        struct Enough: Error {}
        let (take, content) = try await take()
        var random = SeededGenerator(seed: 1)
        var rendered = 0
        let cases = isLongRun ? 10_000 : 2000
        for _ in 0..<cases {
            var damaged = content
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Mostly behind the memory, which has a checksum.
                let isAnywhere = Int.random(in: 0..<10, using: &random) == 0
                let place = isAnywhere ? 0..<content.count : max(0, content.count - 2500)..<content.count
                damaged[.random(in: place, using: &random)] = .random(in: 0...255, using: &random)
            }
            var reports = 0
            do {
                _ = try TakeRendering(of: take, TakeRenderOptions()).write(to: directory.file("a.wav")) { first in
                    first == 0 ? [TakeDamage.piece(damaged)] : []
                } progress: { _ in
                    reports += 1
                    // Longer than the take was.
                    if reports > 5 { throw Enough() }
                }
                rendered += 1
            } catch is MalformedTake {} catch is TakeReplay.Failure {} catch is TakeRendering.Failure {
            } catch is Enough {}
        }
        print("\(rendered) of \(cases) damaged takes were rendered")
        #expect(rendered > cases / 10 && rendered < cases)
    }

    @Test func `a damaged file is set aside, or its takes end where they are damaged`() async throws {
        let (_, content) = try await take()
        let name = try #require(try directory.names.first { $0 == "takes.db" })
        let whole = try directory.read(name)
        var random = SeededGenerator(seed: 2)
        for number in 0..<(isLongRun ? 1000 : 40) {
            let other = try TemporaryDirectory()
            var bytes = whole
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            try Data(bytes).write(to: URL(filePath: other.file("takes.db")))
            let store = try TakeStore(in: other.path)
            for take in (try? await store.entries()) ?? [] {
                let inflate = InflateStream()
                var read: [UInt8] = []
                for piece in (try? await store.pieces(of: take.number, from: 0)) ?? [] {
                    read += try inflate.expand(piece)
                }
                #expect(content.starts(with: read) && take.isSketch != take.progress.hasPlayed, "case \(number)")
            }
            #expect(store.close(within: .seconds(10)))
        }
    }
}

/// Changes what a take's pieces hold.
enum TakeDamage {
    static func content(of pieces: [[UInt8]]) throws -> [UInt8] {
        let stream = InflateStream()
        return try pieces.flatMap { try stream.expand($0) }
    }

    /// The content with another beginning.
    static func content(of pieces: [[UInt8]], _ change: (inout TakeBeginning) -> Void) throws -> [UInt8] {
        var (content, reader, scores) = ([UInt8](), TakeContentReader(), ScoreEncoder())
        for piece in pieces {
            for record in try reader.read(piece) {
                switch record {
                case .beginning(var beginning):
                    change(&beginning)
                    content += TakeContent.record(TakeContent.beginning, TakeContent.bytes(of: beginning))
                case .score(let number, let source):
                    var writer = CompactWriter()
                    writer.write(UInt64(number))
                    content += TakeContent.record(TakeContent.score, writer.bytes + scores.encode(source))
                case .log(let bytes): content += TakeContent.record(TakeContent.log, bytes)
                case .timeline, .kit: break
                }
            }
        }
        return content
    }

    static func piece(_ content: [UInt8]) -> [UInt8] {
        let stream = DeflateStream()
        return stream.compress(content) + stream.flush()
    }
}
