import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// The track's drive.
@Suite struct DriveTests {
    private func driven(_ samples: [Float], _ value: Double, track: Track = .bass, lengths: [Int] = [128]) -> [Float] {
        var rig = StripRig(mid: samples)
        var drive = TrackDrive(track.rawValue, sampleRate: 48_000)
        var scratch = [Float](repeating: 0, count: 128)
        scratch.withUnsafeMutableBufferPointer { scratch in
            rig.render(lengths) { drive.render($0, StripRig.line(value), $1, scratch: scratch.baseAddress!) }
        }
        return rig.mid
    }

    private func sine(_ frequency: Double, _ level: Double, count: Int = 48_000) -> [Float] {
        (0..<count).map { Float(level * sin(2 * .pi * frequency * Double($0) / 48_000)) }
    }

    /// The amplitude at a frequency in a second of samples.
    private func amplitude(_ samples: [Float], at frequency: Int) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in samples.enumerated() {
            let angle = 2 * .pi * Double(frequency) * Double(frame) / 48_000
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return 2 * hypot(real, imaginary) / Double(samples.count)
    }

    @Test(arguments: [0.2, 0.5, 1])
    func `it is the curve, antialiased through its antiderivative`(value: Double) {
        let input = sine(997, 0.5, count: 2000)
        let output = driven(input, value, lengths: [31, 128, 5])
        func integral(_ x: Double) -> Double {
            let c = min(abs(x), 3)
            return c * c / 18 + 4.0 / 3 * log(1 + c * c / 3) + abs(x) - c - x * x / 2
        }
        let amount = 1 + 2.2 * value + 8.8 * value * value
        var (before, factor) = (0.0, 0.0)
        for frame in 0..<2000 {
            let u = amount * Double(input[frame])
            let expected = abs(u - before) < 1e-4 ? u : u + (integral(u) - integral(before)) / (u - before)
            if frame == 100 { factor = Double(output[frame]) / expected }
            if frame > 100, abs(u - before) >= 1e-4 { #expect(abs(Double(output[frame]) - factor * expected) < 1e-5) }
            before = u
        }
    }

    @Test func `a sine of 997 Hz at full drive has no alias above -60 dB`() {
        let output = driven(sine(997, 0.501_187), 1)
        let fundamental = amplitude(output, at: 997)
        var worst = 0.0
        // Odd harmonics beyond half the rate come back at these frequencies.
        for harmonic in stride(from: 25, to: 200, by: 2) {
            let frequency = (997 * harmonic) % 48_000
            let folded = min(frequency, 48_000 - frequency)
            guard folded > 20, folded % 997 != 0 else { continue }
            worst = max(worst, amplitude(output, at: folded))
        }
        #expect(decibels(worst / fundamental) < -60)
    }

    @Test(arguments: [0.3, 1])
    func `quiet sound only gets louder, evenly`(value: Double) {
        let gains = [50, 1000, 8000, 16_000].map { frequency in
            decibels(amplitude(driven(sine(Double(frequency), 0.003), value), at: frequency) / 0.003)
        }
        #expect(gains.max()! - gains.min()! < 0.1 && gains[0] > 0)
    }

    @Test(arguments: [0.25, 0.5, 0.75, 1])
    func `a kick of 909 stays as loud, and so does a note of the bass`(value: Double) {
        for (track, parameter, sound, note) in [(Track.rhythm, Parameter.kit, 2.0, 0), (.bass, .preset, 3, 5)] {
            var score = Score.with(TestNote.sustained(track, note, count: 3), bpm: 120)
            if track == .rhythm { score = .with([TestNote(track: track, note: note, step: 0)], bpm: 120) }
            score.parameters[parameter, track.rawValue] = sound
            func loudness() -> Double {
                let samples = OfflineDriver.playing(score).record(seconds: 0.4)[.track(track)]
                return Loudness.integrated(samples, samples, sampleRate: 48_000)
            }
            let dry = loudness()
            score.parameters[.drive, track.rawValue] = value
            #expect(abs(loudness() - dry) < 1)
        }
    }

    @Test func `at 0 it does nothing, and comes in from dry`() {
        let drive = TrackDrive(0, sampleRate: 48_000)
        #expect(!drive.isOn(StripRig.line(0)) && drive.isResting)
        let input = sine(200, 0.2, count: 1000)
        let barely = driven(input, 0.001)
        for frame in 0..<1000 { #expect(abs(barely[frame] - input[frame]) < 0.002) }
    }

    @Test func `it moves without a step`() {
        let input = sine(110, 0.3, count: 9600)
        var rig = StripRig(mid: input)
        var drive = TrackDrive(2, sampleRate: 48_000)
        var ramp = GainRamp(0)
        var scratch = [Float](repeating: 0, count: 128)
        scratch.withUnsafeMutableBufferPointer { scratch in
            rig.render([50]) { stretch, input in
                if stretch.frame == 4000 { ramp.move(to: 1, frames: 192) }
                if stretch.frame == 7000 { ramp.move(to: 0, frames: 192) }
                let line = GainLine(ramp)
                if drive.isOn(line) { drive.render(stretch, line, input, scratch: scratch.baseAddress!) }
                ramp.advance(stretch.count)
            }
        }
        let steady = driven(input, 1).steepestStep
        #expect(rig.mid.steepestStep <= steady + 0.002)
        #expect(rig.mid[8000...] == input[8000...])
    }

    @Test func `without a side both sides are mid, and with one each is driven`() {
        let (mid, side) = (sine(300, 0.4, count: 3000), sine(5000, 0.1, count: 3000))
        var rig = StripRig(mid: mid, side: side)
        var drive = TrackDrive(3, sampleRate: 48_000)
        var scratch = [Float](repeating: 0, count: 128)
        scratch.withUnsafeMutableBufferPointer { scratch in
            rig.render([96]) { drive.render($0, StripRig.line(0.6), $1, scratch: scratch.baseAddress!) }
        }
        let left = driven(zip(mid, side).map { $0 - $1 }, 0.6, track: .rhythm)
        let right = driven(zip(mid, side).map { $0 + $1 }, 0.6, track: .rhythm)
        for frame in 0..<3000 {
            #expect(abs(rig.mid[frame] - rig.side![frame] - left[frame]) < 1e-6)
            #expect(abs(rig.mid[frame] + rig.side![frame] - right[frame]) < 1e-6)
        }
    }
}
