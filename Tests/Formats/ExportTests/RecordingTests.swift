import Export
import Foundation
import Media
import Music
import TestSupport
import Testing

/// What is in a file that a document is rendered into.
@Suite(.timeLimit(.minutes(1))) struct RecordingTests {
    private static let rate = 8000
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A hit in a loop of 2 s.
    private var hit: Document {
        var pattern = Pattern()
        pattern.bpm = 60
        pattern.length = 8
        pattern[.rhythm, Drum.rimshot.rawValue, 0] = .accent
        return Document(pattern: pattern)
    }

    private func samples(of document: Document, turns: [PlayingSlots] = [], loops: Int = 1) throws -> [Float] {
        var options = RecordingOptions()
        (options.turns, options.loops) = (turns, loops)
        options.sampleRate = Self.rate
        options.sampleFormat = .float32
        var bytes: [UInt8] = []
        try Recording(of: document, options).stream(spoolingIn: directory.path, to: { bytes += $0 })
        let data = try #require(Data(bytes).range(of: Data("data".utf8))).upperBound + 4
        return stride(from: data, to: bytes.count, by: 4).map { offset in
            Float(bitPattern: bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
    }

    @Test(arguments: SyncSource.allCases)
    func `whatever the instrument follows, our own clock plays its recording`(source: SyncSource) throws {
        let expected = try samples(of: hit)
        #expect(expected.peak > 0.01)
        var following = hit
        following.set(.syncSource, to: .choice(source))
        #expect(try samples(of: following) == expected)
    }

    /// Two scenes in loops of 2 s: the first hits at its beginning, the second in its middle.
    private var scenes: Document {
        var document = hit
        var cells = Cells()
        cells[.rhythm, Drum.rimshot.rawValue, 4] = .accent
        document.apply(.edit([Slot(.rhythm, 1): cells[.rhythm]]))
        return document
    }

    /// The starts of hits in seconds: where sound follows silence.
    private func hits(in samples: [Float]) -> [Double] {
        let part = 2 * Self.rate / 10
        let peaks = stride(from: 0, to: samples.count, by: part).map {
            samples[$0..<min($0 + part, samples.count)].peak
        }
        return peaks.indices.filter { peaks[$0] > 0.01 && ($0 == 0 || peaks[$0 - 1] < 0.01) }.map { Double($0) / 10 }
    }

    @Test(arguments: [
        ([], 1, [0.0]), ([1], 1, [1]), ([0, 1], 1, [0, 3]), ([0, 1, 1, 0], 1, [0, 3, 5, 6]),
        ([1, 0], 2, [1, 2, 5, 6]),
    ])
    func `a chain of scenes is a loop of each in turn, from the first frame on`(
        chain: [Int], loops: Int, expected: [Double]
    ) throws {
        let samples = try samples(of: scenes, turns: chain.map { PlayingSlots(scene: $0) }, loops: loops)
        #expect(hits(in: samples) == expected)
        #expect(samples.count >= 2 * 2 * Self.rate * max(1, chain.count) * loops)
    }

    @Test func `a chain of one scene is the scene's own recording, sample for sample`() throws {
        var playing = scenes
        playing.launch(Slot.scene(1))
        #expect(try samples(of: scenes, turns: [PlayingSlots(scene: 1)]) == samples(of: playing))
    }

    @Test func `echoes that come after silence are in the file, which ends when they have faded`() throws {
        var document = hit
        document.set(.delay, on: .rhythm, to: 0)
        document.set(.delayFeedback, to: 0.2)
        // 1.5 s.
        document.set(.delaySteps, to: 6)
        let samples = try samples(of: document)
        let second = 2 * Self.rate
        for echo in 1...4 {
            let start = second * echo * 3 / 2
            #expect(samples[start - second / 2..<start].peak == 0)
            #expect(samples[start..<start + second / 2].peak > 1e-4)
        }
        #expect(samples.suffix(second).peak < pow(10, -90 / 20))
        #expect(samples.count <= (2 + 20) * second)
    }

    @Test func `echoes that do not end are faded out within 50 ms after 20 s`() throws {
        var pattern = hit.pattern
        // As many as the steps from one echo to the next, so that each step sounds like the one before it.
        for step in 0..<6 { pattern[.rhythm, Drum.cowbell.rawValue, step] = .accent }
        var document = Document(pattern: pattern)
        document.set(.delay, on: .rhythm, to: 0)
        document.set(.delayFeedback, to: 0.9)
        document.set(.delaySteps, to: 6)
        let samples = try samples(of: document)
        let second = 2 * Self.rate
        // Whether notes still sound is known after each 8192 frames.
        #expect((21 * second...(2 + 20) * second + 2 * 8192).contains(samples.count))
        let end = samples.suffix(second / 200)
        let stepBefore = samples.dropLast(second / 4).suffix(second / 200)
        #expect(end.peak > 0 && end.peak < stepBefore.peak / 4)
        #expect(samples.suffix(2) == [0, 0])
    }
}
