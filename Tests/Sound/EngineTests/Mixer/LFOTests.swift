import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// The tracks' low-frequency oscillators.
@Suite struct LFOTests {
    /// A held note, at 120 BPM, whose sixteenths are 6000 frames.
    private func score(to target: Double, shape: Double, rate: Double, depth: Double) -> Score {
        var score = Score.with(TestNote.sustained(.chords, 3, count: 31), bpm: 120, swing: 0.66)
        score.parameters[.preset, 1] = 3
        score.parameters[.lfoTo, 1] = target
        score.parameters[.lfoShape, 1] = shape
        score.parameters[.lfoRate, 1] = rate
        score.parameters[.lfoDepth, 1] = depth
        return score
    }

    private func triangle(_ cycles: Double) -> Double {
        let part = cycles - floor(cycles)
        return part < 0.25 ? 4 * part : part < 0.75 ? 2 - 4 * part : 4 * part - 4
    }

    /// The dice of a cycle, written from the definition.
    private func random(_ cycle: Int64, track: UInt64) -> Double {
        var z = 1 ^ (UInt64(bitPattern: cycle) &* 0x9e37_79b9_7f4a_7c15) ^ ((128 + track) &* 0xbf58_476d_1ce4_e5b9)
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        z = z ^ (z >> 31)
        return 2 * Double(z >> 40) / 16_777_216 - 1
    }

    private func randomLine(_ cycles: Double) -> Double {
        let cycle = Int64(floor(cycles))
        let (from, to) = (random(cycle, track: 1), random(cycle + 1, track: 1))
        return from + (cycles - floor(cycles)) * (to - from)
    }

    @Test(arguments: [(0.0, 4.0, 1.0), (0, 1, 0.5), (1, 2, 1)])
    func `the level follows the song's straight position`(shape: Double, rate: Double, depth: Double) {
        let plain = OfflineDriver.playing(score(to: 2, shape: shape, rate: rate, depth: 0)).record(seconds: 1)
        let moved = OfflineDriver.playing(score(to: 2, shape: shape, rate: rate, depth: depth)).record(seconds: 1)
        for frame in stride(from: 400, to: 48_000, by: 7) where abs(plain[.track(.chords)][frame]) > 0.01 {
            let cycles = Double(frame) / 6000 / rate
            let wave = shape == 0 ? triangle(cycles) : randomLine(cycles)
            let expected = pow(10, 3 * depth * (wave - 1) / 20)
            let ratio = Double(moved[.track(.chords)][frame] / plain[.track(.chords)][frame])
            #expect(abs(ratio - expected) < 0.002, "frame \(frame)")
        }
    }

    @Test func `the pan moves from side to side, and the port does not`() {
        let plain = OfflineDriver.playing(score(to: 1, shape: 0, rate: 4, depth: 0)).record(seconds: 0.5)
        let moved = OfflineDriver.playing(score(to: 1, shape: 0, rate: 4, depth: 1)).record(seconds: 0.5)
        #expect(moved[.track(.chords)] == plain[.track(.chords)])
        for frame in stride(from: 400, to: 24_000, by: 7) {
            let angle = (triangle(Double(frame) / 24_000) + 1) * Double.pi / 4
            let dry = Double(plain[.track(.chords)][frame])
            #expect(abs(Double(moved[.mainLeft][frame]) - cos(angle) * dry) < 1e-3)
            #expect(abs(Double(moved[.mainRight][frame]) - sin(angle) * dry) < 1e-3)
        }
    }

    @Test func `stopped, it runs on, and a relocation makes no step`() {
        let driver = OfflineDriver.playing(score(to: 1, shape: 0, rate: 2, depth: 1))
        driver.schedule(.command(.stop), at: 9000)
        driver.schedule(.command(.audition(track: 1, notes: 0b1001, velocity: 2)), at: 12_000)
        driver.schedule(.command(.play), at: 14_000)
        driver.schedule(.command(.locate(step: 13)), at: 20_000)
        let heard = driver.record(seconds: 0.6)
        for port in [EnginePort.mainLeft, .mainRight] {
            #expect(heard[port].steepestStep <= heard[.track(.chords)].steepestStep + 0.002)
        }
        let (left, right) = (heard[.mainLeft][12_300..<13_900], heard[.mainRight][12_300..<13_900])
        #expect(left.rms > 0.001 && abs(left.rms - right.rms) > 0.1 * left.rms)
    }

    /// Frames at which a sine rises through 0.
    private func risings(_ samples: ArraySlice<Float>) -> [Double] {
        zip(samples.indices, samples.indices.dropFirst()).compactMap { before, after in
            let (low, high) = (Double(samples[before]), Double(samples[after]))
            return low < 0 && high >= 0 ? Double(before) + low / (low - high) : nil
        }
    }

    @Test(arguments: [(0.0, 4.0, 1.0), (0, 2, 0.5), (1, 4, 1)])
    func `the pitch follows the song's straight position`(shape: Double, rate: Double, depth: Double) throws {
        func render(depth: Double) -> OfflineRecording {
            var score = score(to: 3, shape: shape, rate: rate, depth: depth)
            score.parameters[.preset, 1] = 0
            score.parameters[.drift, 1] = 0
            return OfflineDriver.playing(score).record(seconds: 1)
        }
        let plain = risings(render(depth: 0)[.track(.chords)][2000..<40_000])
        let cycle = (try #require(plain.last) - plain[0]) / Double(plain.count - 1)
        let moved = risings(render(depth: depth)[.track(.chords)][2000..<40_000])
        for (before, after) in zip(moved, moved.dropFirst()) {
            let cycles = (before + after) / 2 / 6000 / rate
            let wave = shape == 0 ? triangle(cycles) : randomLine(cycles)
            let cents = 1200 * log2(cycle / (after - before))
            // Within a cycle of the sound the pitch itself moves.
            #expect(abs(cents - 50 * depth * wave) < 1.5, "frame \(before)")
        }
    }

    @Test func `the pitch of noise stays, and that of a kick moves`() throws {
        func hits(_ drum: Int, depth: Double) -> OfflineRecording {
            var score = Score.with([TestNote(track: .rhythm, note: drum, step: 0)], bpm: 120)
            score.parameters[.lfoTo, 3] = 3
            score.parameters[.lfoRate, 3] = 2
            score.parameters[.lfoDepth, 3] = depth
            return OfflineDriver.playing(score).record(seconds: 0.5)
        }
        let closedHat = Drum.closedHat.rawValue
        #expect(hits(closedHat, depth: 1)[.track(.rhythm)] == hits(closedHat, depth: 0)[.track(.rhythm)])
        #expect(hits(0, depth: 1)[.track(.rhythm)] != hits(0, depth: 0)[.track(.rhythm)])
    }

    @Test(arguments: [[1], [64], [1000, 7, 256]])
    func `a moving pitch is the same with any period`(periods: [Int]) {
        func driver() -> OfflineDriver {
            let drums = stride(from: 0, to: 16, by: 2).map { TestNote(track: .rhythm, note: $0 % 12, step: $0) }
            var score = Score.with(TestNote.sustained(.chords, 3, count: 31) + drums, bpm: 120)
            for track in [1, 3] {
                score.parameters[.lfoTo, track] = 3
                score.parameters[.lfoShape, track] = 1
                score.parameters[.lfoRate, track] = 1
                score.parameters[.lfoDepth, track] = 0.7
            }
            score.parameters[.places, 3] = 1
            return OfflineDriver.playing(score)
        }
        let (expected, heard) = (driver().record(seconds: 0.7), driver().record(seconds: 0.7, periods: periods))
        for port in [EnginePort.mainLeft, .mainRight] { #expect(heard[port] == expected[port]) }
    }
}
