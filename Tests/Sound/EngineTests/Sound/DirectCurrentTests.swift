import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// Whatever the bass plays, its mean is too small to move a loudspeaker.
@Suite struct DirectCurrentTests {
    /// The highest mean in dBFS under a Hann window of 1 s, every quarter of a second.
    private func mean(of score: Score, seconds: Int = 4) -> Double {
        let samples = OfflineDriver.playing(score).record(seconds: Double(seconds))[.track(.bass)]
        return stride(from: 0, through: samples.count - 48_000, by: 12_000).map { start in
            decibels(samples[start..<start + 48_000].windowedMean)
        }.max()!
    }

    private func score(_ cells: [TestNote], preset: Int, bpm: Double, tone: Double = 0) -> Score {
        var score = Score.with(cells, bpm: bpm)
        score.parameters[.preset, Track.bass.rawValue] = Double(preset)
        score.parameters[.tone, Track.bass.rawValue] = tone
        return score
    }

    @Test(arguments: 0..<8, [67.0, 120, 231])
    func `a bass that starts again on each step has no direct current above -60 dBFS`(preset: Int, bpm: Double) {
        for note in [0, 5, 11] {
            let cells = (0..<32).map { TestNote(track: .bass, note: note, step: $0) }
            let mean = mean(of: score(cells, preset: preset, bpm: bpm))
            #expect(mean < -60, "note \(note): \(mean) dBFS")
        }
    }

    @Test(arguments: 0..<8)
    func `nor has any other pattern`(preset: Int) {
        var random = SeededGenerator(seed: UInt64(preset))
        for _ in 0..<6 {
            let cells = (0..<32).filter { _ in Bool.random(using: &random) }.flatMap { step in
                let note = Int.random(in: 0..<12, using: &random)
                let count = min(31 - step, Int.random(in: 0...3, using: &random))
                let velocity: Velocity = Bool.random(using: &random) ? .normal : .accent
                return count == 0
                    ? [TestNote(track: .bass, note: note, step: step, velocity: velocity)]
                    : TestNote.sustained(.bass, note, step: step, count: count)
            }
            let bpm = Double.random(in: 40...300, using: &random)
            let tone = Double.random(in: -24...24, using: &random)
            let mean = mean(of: score(cells, preset: preset, bpm: bpm, tone: tone))
            #expect(mean < -60, "\(bpm) BPM: \(mean) dBFS")
        }
    }
}
