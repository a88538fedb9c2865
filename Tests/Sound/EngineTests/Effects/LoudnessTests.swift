import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// The master's loudness: how far the mix is driven into its soft clipper.
@Suite struct LoudnessTests {
    /// What the stage makes of a sound on both sides.
    private func output(
        of samples: [Float], decibels: Double, sampleRate: Double = 48_000, periods: [Int] = [512]
    ) -> [Float] {
        var stage = OutputStage(sampleRate: sampleRate)
        stage.move(to: decibels, frames: 1)
        stage.arrive()
        var (left, right) = (samples, samples)
        var (done, turn) = (0, 0)
        while done < samples.count {
            let count = min(periods[turn % periods.count], samples.count - done)
            left.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in
                    stage.render(left.baseAddress! + done, right.baseAddress! + done, count: count)
                }
            }
            stage.advance(count)
            done += count
            turn += 1
        }
        #expect(left == right)
        return left
    }

    private func sine(_ frequency: Double, _ amplitude: Double, count: Int, sampleRate: Double = 48_000) -> [Float] {
        (0..<count).map { Float(amplitude * sin(2 * Double.pi * frequency / sampleRate * Double($0))) }
    }

    @Test(arguments: [44_100.0, 48_000, 96_000])
    func `a sine at 997 Hz, 9 dB louder than full scale, has no aliases above -60 dB`(sampleRate: Double) {
        let driven = output(
            of: sine(997, 1, count: 70_000, sampleRate: sampleRate), decibels: 9, sampleRate: sampleRate)
        let spectrum = Spectrum(driven[4464...], sampleRate: sampleRate)
        let alias = decibels(spectrum.strongestInharmonic(of: 997))
        #expect(alias < -60, "\(alias) dB")
        Figures.show("LOUD alias at \(Int(sampleRate)) Hz", decibels: alias)
        #expect(decibels(spectrum.peak(in: 2900...3100) / spectrum.peak(in: 900...1100)) > -20)
    }

    @Test(arguments: [100.0, 1000, 10_000, 18_000])
    func `a quiet sound is only made louder`(frequency: Double) {
        let quiet = sine(frequency, 0.1, count: 4096 + 1024)
        let louder = output(of: quiet, decibels: 6)
        let gain = decibels(Phasor(of: louder[1024...], at: frequency / 48_000).amplitude / 0.1)
        #expect(abs(gain - 6) < 0.02, "\(gain) dB")
    }

    @Test func `nothing leaves -1 to 1, whatever comes`() {
        var random = SeededGenerator(seed: 3)
        let samples = (0..<20_000).map { Float.random(in: -4...4, using: &random) * ($0 % 5000 < 200 ? 1e6 : 1) }
        let driven = output(of: samples, decibels: 9)
        #expect(driven.allSatisfy { abs($0) <= 1 } && driven.peak > 0.9)
    }

    @Test func `any periods give the same bits, and it is silent 32 frames after its input`() {
        let samples = sine(300, 0.9, count: 5000) + [Float](repeating: 0, count: 500)
        let whole = output(of: samples, decibels: 7)
        #expect(whole == output(of: samples, decibels: 7, periods: [1, 64, 17, 300]))
        #expect(whole.end! <= 5000 + 32 && whole.end! > 5000)
    }

    @Test func `it is switched and moved without a step, within 5 ms`() {
        var score = Score.with(TestNote.sustained(.bass, 0, count: 15) + TestNote.sustained(.chords, 0, count: 15))
        func record(_ changes: [(Int, Double)], periods: [Int]) -> OfflineRecording {
            var score = score
            let driver = OfflineDriver.playing(score)
            for (frame, value) in changes {
                score.parameters[.loud] = value
                driver.schedule(.score(score), at: Int64(frame))
            }
            return driver.record(frames: 24_000, periods: periods)
        }
        score.mix(.bass, gain: 3)
        let changes = [(8001, 9.0), (12_002, 3), (16_003, 0), (16_100, 9), (20_004, 0)]
        let (moved, calm) = (record(changes, periods: [512]), record([], periods: [512]))
        let pieces = record(changes, periods: [64, 1000, 17])
        score.parameters[.loud] = 9
        let loud = record([], periods: [512])
        #expect(pieces[.mainLeft] == moved[.mainLeft])
        #expect(moved[.mainLeft][..<8001] == calm[.mainLeft][..<8001])
        #expect(moved[.mainLeft][8001 + 240..<12_002] == loud[.mainLeft][8001 + 240..<12_002])
        #expect(moved[.mainLeft][20_004 + 240..<24_000] == calm[.mainLeft][20_004 + 240..<24_000])
        #expect(moved[.mainLeft].steepestStep < loud[.mainLeft].steepestStep + 0.002)
    }
}
