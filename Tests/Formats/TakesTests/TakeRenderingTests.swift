import Engine
import Foundation
import Instrument
import Media
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Export
@testable import Takes

/// Stored takes as sound files.
@Suite(.timeLimit(.minutes(3))) struct TakeRenderingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A take of some seconds; returns what it sounded like, on the left.
    private func record(kit: SampleKit? = nil) async throws -> (instrument: RecordedInstrument, heard: [Float]) {
        let instrument = try RecordedInstrument(.forTakes, in: directory.path)
        if let kit { instrument.publish(kit) }
        instrument.render(1)
        let start = instrument.heard.count
        instrument.driver.schedule(.command(.play), at: instrument.driver.frame)
        instrument.render(2)
        instrument.change { $0.set(.tempo, to: 150) }
        instrument.render(1.3)
        try await instrument.rest()
        return (instrument, Array(instrument.heard[start...]))
    }

    private func write(
        _ name: String, of instrument: RecordedInstrument, _ options: TakeRenderOptions = TakeRenderOptions(),
        loadKit: @escaping (KitFingerprint, Int) -> FoundKit = { kit, _ in FoundKit(without: kit) }
    ) async throws -> RenderedTake {
        let take = try #require(try await instrument.store.entries().last)
        let pieces = try await instrument.store.pieces(of: take.number, from: 0)
        return try TakeRendering(of: take, options, loadKit: loadKit).write(to: directory.file(name)) { first in
            Array(pieces.dropFirst(first).prefix(1))
        }
    }

    /// The left channel of a stereo WAV file of floats.
    private func samples(_ name: String) throws -> [Float] {
        let bytes = try Data(contentsOf: URL(filePath: directory.file(name)))
        let data = try #require(bytes.range(of: Data("data".utf8))).upperBound + 4
        return stride(from: data, to: bytes.count, by: 8).map { offset in
            Float(bitPattern: bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
    }

    @Test func `a take's file is what was heard, to the bit, up to its last sound`() async throws {
        let (instrument, heard) = try await record()
        let rendered = try await write("a.wav", of: instrument)
        let file = try samples("a.wav")
        #expect(rendered.frameCount == file.count && file.count > 3 * 8000 && rendered.changedDrums == [])
        let isEqual = file == Array(heard.prefix(file.count))
        #expect(isEqual)
        #expect(heard.dropFirst(file.count).allSatisfy { $0 == 0 })
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test(arguments: [(0.5, 1.25), (0, 1), (2, 100)])
    func `a part of a take is that part of the whole`(from: Double, to: Double) async throws {
        let (instrument, heard) = try await record()
        var options = TakeRenderOptions()
        options.part = from..<to
        let whole = try await write("whole.wav", of: instrument).frameCount
        let rendered = try await write("part.wav", of: instrument, options)
        let part = Int(from * 8000)..<min(Int(to * 8000), whole)
        #expect(rendered.frameCount == part.count)
        let isEqual = try samples("part.wav") == Array(heard[part])
        #expect(isEqual)
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test func `stems of a take add up to the mix before the limiter`() async throws {
        let (instrument, _) = try await record()
        var options = TakeRenderOptions()
        options.hasStems = true
        _ = try await write("a.wav", of: instrument, options)
        let mix = try samples("a.wav")
        let stems = try Stem.all.map { try samples("a.\($0.name).wav") }
        let quiet = mix.indices.filter { abs(mix[$0]) < 0.7 }
        #expect(quiet.count > mix.count / 2)
        #expect(quiet.allSatisfy { index in abs(stems.reduce(0) { $0 + $1[index] } - mix[index]) < 1e-6 })
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test func `a take can be rendered at another rate, and as FLAC`() async throws {
        let (instrument, heard) = try await record()
        var options = TakeRenderOptions()
        (options.sampleRate, options.sampleFormat) = (16_000, .integer24)
        let rendered = try await write("a.flac", of: instrument, options)
        let whole = try await write("a.wav", of: instrument).frameCount
        #expect(abs(rendered.frameCount - 2 * whole) <= 2)
        #expect(try directory.read("a.flac").starts(with: Array("fLaC".utf8)))
        #expect(heard.peak > 0.1)
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test func `samples are found by their fingerprint, and missing drums are named`() async throws {
        var drums = [[Float]?](repeating: nil, count: 12)
        drums[Drum.allCases[4].rawValue] = (0..<2000).map { Float(sin(Double($0) * 0.3)) * 0.8 }
        let print = KitFingerprint(
            name: "Dust", sampleRate: 8000, drums: [.init(drum: 4, file: 11, samples: 22)])
        let kit = SampleKit(sampleRate: 8000, samples: drums, fingerprint: print)
        let (instrument, heard) = try await record(kit: kit)
        var asked: [KitFingerprint] = []
        let found = try await write("found.wav", of: instrument) { wanted, rate in
            #expect(rate == 8000)
            asked.append(wanted)
            return FoundKit(kit, changedDrums: [])
        }
        #expect(asked == [print] && found.changedDrums == [])
        let file = try samples("found.wav")
        let isEqual = file == Array(heard.prefix(file.count))
        #expect(isEqual)
        let missing = try await write("missing.wav", of: instrument)
        #expect(missing.changedDrums == [Drum.allCases[4]])
        let isOther = try samples("missing.wav") != file
        #expect(isOther)
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test func `a render that is cancelled leaves no file`() async throws {
        struct Cancelled: Error {}
        let (instrument, _) = try await record()
        let take = try #require(try await instrument.store.entries().last)
        let pieces = try await instrument.store.pieces(of: take.number, from: 0)
        #expect(throws: Cancelled.self) {
            try TakeRendering(of: take, TakeRenderOptions()).write(to: directory.file("a.wav")) { first in
                first == 0 ? pieces : []
            } progress: { _ in
                throw Cancelled()
            }
        }
        #expect(try !directory.names.contains("a.wav"))
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test func `a kit that was loaded for another rate was not heard, and is not looked for`() async throws {
        let print = KitFingerprint(name: "Dust", sampleRate: 44_100, drums: [.init(drum: 4, file: 11, samples: 22)])
        let samples = [[Float]?](repeating: [1, 0.5, 0.2], count: 12)
        let kit = SampleKit(sampleRate: 44_100, samples: samples, fingerprint: print)
        let (instrument, heard) = try await record(kit: kit)
        let rendered = try await write("a.wav", of: instrument) { kit, _ in
            Issue.record("\(kit)")
            return FoundKit(without: kit)
        }
        let file = try self.samples("a.wav")
        let isEqual = file == Array(heard.prefix(file.count))
        #expect(isEqual && rendered.changedDrums == [])
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test func `timelines that are held for a moment only do not upset the times of what follows`() async throws {
        let instrument = try RecordedInstrument(.forTakes, in: directory.path)
        instrument.driver.schedule(.command(.play), at: 0)
        instrument.render(1)
        for _ in 0..<3 {
            instrument.follow(Timeline(beat: 0, usecs: 0, bpm: 120))
            instrument.render(0.032)
            instrument.follow(nil)
            instrument.render(0.512)
        }
        try await instrument.rest()
        _ = try await write("a.wav", of: instrument)
        let file = try samples("a.wav")
        let isEqual = file == Array(instrument.heard.prefix(file.count))
        #expect(isEqual && file.count > 20_000)
        #expect(instrument.store.close(within: .seconds(10)))
    }

    // MARK: What cannot be read as it was played

    /// A take as it was stored, but for some changes.
    private func write(
        _ name: String, of instrument: RecordedInstrument, pieces: Int = .max, _ change: (inout KeptTake) -> Void
    ) async throws -> RenderedTake {
        var take = try #require(try await instrument.store.entries().last)
        change(&take)
        let all = try await instrument.store.pieces(of: take.number, from: 0)
        return try TakeRendering(of: take, TakeRenderOptions()).write(to: directory.file(name)) { first in
            Array(all.prefix(pieces).dropFirst(first))
        }
    }

    @Test func `a take of another version or processor is rendered with a warning`() async throws {
        let (instrument, _) = try await record()
        #expect(try await write("a.wav", of: instrument) { _ in }.warning == nil)
        let version = try await write("b.wav", of: instrument) { $0.head.engineVersion += 1 }
        #expect(version.warning?.hasPrefix("it was played by version \(Engine.version + 1) of the engine on ") == true)
        let processor = try await write("c.wav", of: instrument) { $0.head.architecture = "pdp11" }
        #expect(processor.warning?.contains(" on pdp11, this is ") == true)
        let isEqual = try samples("a.wav") == samples("b.wav") && samples("a.wav") == samples("c.wav")
        #expect(isEqual)
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test func `a take of another format is refused`() async throws {
        let (instrument, _) = try await record()
        let message = "the take has format 2, and this version reads 1 only"
        await #expect(throws: TakeRendering.Failure(description: message)) {
            try await write("a.wav", of: instrument) { $0.format = 2 }
        }
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test func `a take whose end is missing is rendered as far as it goes, with a warning`() async throws {
        let instrument = try RecordedInstrument(.forTakes, in: directory.path)
        instrument.driver.schedule(.command(.play), at: 0)
        for _ in 0..<3 {
            instrument.render(1)
            _ = try await instrument.store.entries()
        }
        try await instrument.rest()
        let whole = try await write("a.wav", of: instrument) { _ in }
        let part = try await write("b.wav", of: instrument, pieces: 1) { _ in }
        #expect(part.frameCount < whole.frameCount && part.frameCount > 0)
        #expect(part.warning == "the take is damaged, and ends where it can no longer be read")
        let current = try await write("c.wav", of: instrument, pieces: 1) { $0.isCurrent = true }
        #expect(current.warning == nil)
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test func `a take whose file could exceed 4 GiB gets one with 64 bits for its lengths`() async throws {
        let (instrument, heard) = try await record()
        let rendered = try await write("a.wav", of: instrument) { $0.progress.frames = 1 << 29 }
        #expect(try directory.read("a.wav").starts(with: Array("RF64".utf8)))
        let file = try samples("a.wav")
        #expect(file.count == rendered.frameCount && file.count > 3 * 8000)
        let isEqual = file.prefix(heard.count) == heard.prefix(file.count)
        #expect(isEqual)
        #expect(instrument.store.close(within: .seconds(10)))
    }

    @Test func `a take of an engine that remembers other things is refused in words`() async throws {
        let (instrument, _) = try await record()
        let take = try #require(try await instrument.store.entries().last)
        let content = try TakeDamage.content(of: try await instrument.store.pieces(of: take.number, from: 0)) {
            $0.memoryVersion += 1
        }
        let message = "the take was played by a version of the engine whose memory this version cannot read"
        #expect(throws: TakeRendering.Failure(description: message)) {
            try TakeRendering(of: take, TakeRenderOptions()).write(to: directory.file("a.wav")) { first in
                first == 0 ? [TakeDamage.piece(content)] : []
            }
        }
        #expect(try !directory.names.contains("a.wav"))
        #expect(instrument.store.close(within: .seconds(10)))
    }
}
