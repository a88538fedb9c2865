import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// What `drift` does to each start, compared with an independent computation of its dice.
@Suite struct DriftTests {
    /// SplitMix64 from a state, written anew from Steele, Lea and Flood's paper.
    private struct Generator {
        var state: UInt64

        mutating func output() -> UInt64 {
            state = state &+ 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }

        mutating func shift() -> Double { 2 * (Double(output() >> 40) / 16_777_216) - 1 }
    }

    private func generator(seed: UInt64, count: Int64, track: Int, note: Int, ratchet: Int) -> Generator {
        let key = UInt64(4096 + 64 * track + note)
        let z =
            seed ^ (UInt64(bitPattern: count) &* 0x9E37_79B9_7F4A_7C15) ^ (key &* 0xBF58_476D_1CE4_E5B9)
        return Generator(state: z &+ UInt64(ratchet) &* 0x94D0_49BB_1331_11EB)
    }

    private func score(_ cells: [TestNote], _ track: Track, drift: Double, preset: Int = 0, bpm: Double = 120) -> Score
    {
        var score = Score.with(cells, bpm: bpm)
        score.parameters[.drift, track.rawValue] = drift
        score.parameters[track == .rhythm ? .kit : .preset, track.rawValue] = Double(preset)
        return score
    }

    @Test(arguments: [0.5, 1])
    func `the values are those of the dice, in their order`(amount: Double) {
        for (count, ratchet) in [(Int64(0), 0), (17, 3), (-5, 7)] {
            var wanted = generator(seed: 9, count: count, track: 2, note: 5, ratchet: ratchet)
            let draws = Dice(seed: 9).draws(count: count, track: 2, note: 5, ratchet: ratchet)
            var drift = Drift(amount: amount, draws)
            for _ in 0..<2 {
                let phase = Double(Int32(bitPattern: drift.phase())) / 4_294_967_296
                #expect(abs(phase - 0.15 * amount * wanted.shift()) < 1e-9)
            }
            #expect(abs(1200 * log2(drift.detune()) - 5 * amount * wanted.shift()) < 1e-9)
            #expect(abs(20 * log10(Double(drift.level())) - 0.5 * amount * wanted.shift()) < 1e-5)
            #expect(drift.seed(else: 0) == UInt32(wanted.output() >> 32))
            #expect(drift.place() == Double(wanted.output() >> 40) / 16_777_216)
        }
    }

    @Test func `a sine starts with the phase, pitch and level that the dice give it`() {
        let cells = [0, 4, 8, 12].map { TestNote(track: .melody, note: 3, step: $0) }
        let samples = OfflineDriver.playing(score(cells, .melody, drift: 1)).record(seconds: 2)[.track(.melody)]
        let plain = OfflineDriver.playing(score(cells, .melody, drift: 0)).record(seconds: 2)[.track(.melody)]
        let reference = Tone(in: plain[2000..<5000], near: 311.1, sampleRate: 48_000)
        for step in [0, 4, 8, 12] {
            let start = step * 6000
            var dice = generator(seed: 1, count: Int64(step), track: 0, note: 3, ratchet: 0)
            let (phase, detune, level) = (0.15 * dice.shift(), 5 * dice.shift(), 0.5 * dice.shift())
            let range = start + 2000..<start + 5000
            let tone = Tone(in: samples[range], near: 311.1, sampleRate: 48_000)
            #expect(abs(cents(tone.frequency, above: reference.frequency) - detune) < 0.1)
            let (now, before) = (
                Phasor(of: samples[range], at: tone.frequency / 48_000),
                Phasor(of: plain[2000..<5000], at: reference.frequency / 48_000)
            )
            #expect(abs(decibels(now.amplitude / before.amplitude) - level) < 0.02)
            let moved = now.turns - before.turns - (tone.frequency - reference.frequency) / 48_000 * 2000
            #expect(abs((moved - phase) - (moved - phase).rounded()) < 0.003, "\(moved) instead of \(phase)")
        }
    }

    @Test(arguments: Track.allCases)
    func `notes are correlated by at most 0.8, and without drift repeat`(track: Track) {
        let note = track == .rhythm ? Drum.openHat.rawValue : 4
        let steps = stride(from: 0, to: 32, by: 2)
        let cells = steps.map { TestNote(track: track, note: note, step: $0) }
        func correlation(_ drift: Double) -> Double {
            let played = score(cells, track, drift: drift, preset: track == .rhythm ? 6 : 0)
            let samples = OfflineDriver.playing(played).record(seconds: 4)[.track(track)]
            let notes = steps.map { Array(samples[$0 * 6000..<$0 * 6000 + 7000]) }
            let pairs = zip(notes, notes.dropFirst()).map { (one: [Float], other: [Float]) -> Double in
                var product = 0.0
                for (first, second) in zip(one, other) { product += Double(first) * Double(second) }
                return product / (one.rms * other.rms * Double(one.count))
            }
            return pairs.reduce(0, +) / Double(pairs.count)
        }
        let drifting = correlation(1)
        #expect(drifting <= 0.8, "\(drifting)")
        Figures.show("DRIFT correlation of \(track), in percent", decibels: 100 * drifting)
        if track.isPitched { #expect(correlation(0) > 0.999) }
    }

    @Test func `ratchets and keys have values of their own, and play begins the keys' anew`() {
        let ratchet = [TestNote(track: .bass, note: 0, step: 0, values: [.ratchet: 2])]
        let samples = OfflineDriver.playing(score(ratchet, .bass, drift: 1, bpm: 60)).record(seconds: 0.25)[
            .track(.bass)]
        #expect(samples[..<5000].elementsEqual(samples[6000..<11_000]) == false)

        let key = RtCommand.audition(track: 0, notes: 1, velocity: 2)
        let driver = OfflineDriver(score([], .melody, drift: 1))
        for (frame, command) in [(1000, key), (25_000, key), (48_000, .play), (49_000, key), (73_000, key)] {
            driver.schedule(.command(command), at: Int64(frame))
        }
        let played = driver.record(seconds: 2)[.track(.melody)]
        let notes = (0..<4).map { Array(played[$0 * 24_000 + 1000..<$0 * 24_000 + 5000]) }
        #expect(notes[0] != notes[1] && notes[0] == notes[2] && notes[1] == notes[3])
    }

    @Test func `notes of a pulse never fall silent`() {
        let cells = stride(from: 0, to: 32, by: 2).map { TestNote(track: .melody, note: 0, step: $0) }
        let preset = Track.melody.soundNames.firstIndex(of: "Pulse")!
        let samples = OfflineDriver.playing(score(cells, .melody, drift: 1, preset: preset)).record(seconds: 4)[
            .track(.melody)]
        let levels = stride(from: 0, to: 32, by: 2).map { decibels(samples[$0 * 6000..<$0 * 6000 + 6000].rms) }
        #expect(levels.max()! - levels.min()! < 1.2)
    }

    @Test func `at any period the same`() {
        let cells = (0..<16).map { TestNote(track: .rhythm, note: $0 % 12, step: $0) }
        func record(_ periods: [Int]) -> [Float] {
            OfflineDriver.playing(score(cells, .rhythm, drift: 1, preset: 2)).record(seconds: 2, periods: periods)[
                .track(.rhythm)]
        }
        let isTheSame = record([512]) == record([64, 1000, 17])
        #expect(isTheSame)
    }
}
