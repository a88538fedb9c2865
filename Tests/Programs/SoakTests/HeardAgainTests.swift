import TestSupport
import Testing
import Wire

@testable import JackTestSupport
@testable import pixelboop_soak

/// Whether what was heard is found in a take's render, and whatever differs is noticed.
struct HeardAgainTests {
    /// Two seconds of noise at a tenth of full scale, interleaved.
    static let noise: [Float] = {
        var random = SeededGenerator(seed: 7)
        return (0..<192_000).map { _ in .random(in: -0.1...0.1, using: &random) }
    }()

    /// Findings of a window that heard one second of the noise, from its half second on.
    ///
    /// - Parameters:
    ///   - late: How many periods were late meanwhile.
    ///   - changed: Frames that were heard otherwise.
    static func findings(late: Int, changed: [Int] = []) -> TakeFindings {
        var findings = TakeFindings()
        findings.add(
            TakeWindow(take: 1, runs: [heard(changed: changed)], late: late), rendered: noise)
        return findings
    }

    private static func heard(changed: [Int]) -> [Float] {
        var heard = Array(noise[48_000..<144_000])
        for frame in changed { heard[2 * frame + 1] = Float(bitPattern: heard[2 * frame + 1].bitPattern ^ 1) }
        return heard
    }

    @Test func `sound is found where it was rendered`() throws {
        let again = try #require(HeardAgain(Self.heard(changed: []), in: Self.noise))
        #expect(again.frames == 48_000 && again.differences == 0)
    }

    @Test func `one bit is a difference, and what differs soon after it belongs to it`() throws {
        for (changed, count) in [([30_000], 1), ([0], 1), ([30_000, 34_000], 1), ([20_000, 30_000, 47_999], 3)] {
            let again = try #require(HeardAgain(Self.heard(changed: changed), in: Self.noise))
            #expect(again.differences == count, "\(changed)")
        }
    }

    @Test func `sound that the render ends before is different, and other sound is not found`() throws {
        let cut = Array(Self.noise[..<120_000])
        #expect(try #require(HeardAgain(Self.heard(changed: []), in: cut)).differences == 1)
        #expect(HeardAgain(Self.heard(changed: []), in: Array(Self.noise.reversed())) == nil)
        #expect(HeardAgain(Self.heard(changed: []), in: []) == nil)
    }

    @Test func `with a tolerance, rounded samples are the same, and others are not`() throws {
        let rounded = Self.heard(changed: []).map { ($0 * 32_768).rounded() / 32_768 }
        #expect(HeardAgain(rounded, in: Self.noise) == nil)
        let again = try #require(HeardAgain(rounded, in: Self.noise, within: 1 / 32_768))
        #expect(again.differences == 0)
        let louder = rounded.map { $0 * 1.01 }
        #expect(HeardAgain(louder, in: Self.noise, within: 1 / 32_768) == nil)
    }

    @Test func `as many places may differ as periods were late`() {
        #expect(Self.findings(late: 0).faults == [] && Self.findings(late: 0).frames == 48_000)
        let changed = [10_000, 30_000]
        #expect(Self.findings(late: 2, changed: changed).faults == [])
        #expect(Self.findings(late: 2, changed: changed).excused == 2)
        #expect(
            Self.findings(late: 1, changed: changed).faults
                == ["take 1: 2 places differ from what was heard, and 1 periods were late"])
    }

    @Test func `silence proves nothing, and sound that is not in the take is a fault unless periods were late`() {
        for (run, late, isFault) in [
            ([Float](repeating: 0, count: 96_000), 0, false), (Array(Self.noise[..<96_000].reversed()), 0, true),
            (Array(Self.noise[..<96_000].reversed()), 1, false),
        ] {
            var findings = TakeFindings()
            findings.add(TakeWindow(take: 1, runs: [run], late: late), rendered: Self.noise)
            #expect(findings.faults.isEmpty != isFault)
            #expect(findings.frames == 0 && findings.unjudged == 1)
        }
    }

    @Test func `a recording is divided where frames are missing, and other samples are left out`() {
        let samples = (0..<8).map(Float.init)
        let recording = JackRecording(
            sampleRate: 48_000, channels: [samples, samples.map { -$0 }],
            blocks: [(4, 0), (5, 1), (6, 2), (7, 3), (9, 4), (10, 5), (11, 6), (12, 7)].map {
                JackRecording.Block(frame: $0.0, start: $0.1, count: 1)
            })
        #expect(TakeWitness.runs(of: recording, samples: 2..<6) == [[2, -2, 3, -3], [4, -4, 5, -5]])
    }

    @Test func `blocks in a row are one run, and missing ones divide it`() {
        var window = AudioWindow()
        let blocks: [(Int64, [UInt8]?)] = [(1, [0, 0x40, 0, 0xc0]), (2, nil), (4, [0xff, 0x7f, 0, 0x80])]
        for (number, pcm) in blocks {
            window.hear(AudioEvent(frame: number, usecs: 0, rate: 50, pcm: pcm))
        }
        #expect(window.runs == [[0.5, -0.5, 0, 0], [Float(32_767) / 32_768, -1]])
    }
}
