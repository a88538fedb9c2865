import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// Keys with a loudness for each velocity, and held notes that sway.
@Suite struct DynamicsTests {
    private func score(_ track: Track, _ preset: String, _ changes: [(Parameter, Double)]) -> Score {
        var score = Score.with([])
        score.parameters[track.soundParameter, track.rawValue] = Double(track.soundNames.firstIndex(of: preset)!)
        for (parameter, value) in changes { score.parameters[parameter, track.rawValue] = value }
        return score
    }

    /// A key held from frame 0 on.
    private func sound(_ score: Score, _ track: Track, key: UInt8, velocity: UInt8, seconds: Double = 0.4) -> [Float] {
        let driver = OfflineDriver(score)
        let channel = UInt8(track.defaultChannel - 1)
        driver.receive(MidiEvent(frame: 0, count: 3, 0x90 | channel, key, velocity), at: 0)
        return driver.record(seconds: seconds)[.track(track)]
    }

    private func centroid(_ samples: [Float]) -> Double {
        let spectrum = Spectrum(samples[500..<500 + 8192], sampleRate: 48_000)
        let powers = spectrum.amplitudes.map { $0 * $0 }
        return powers.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element } / powers.reduce(0, +)
    }

    @Test(arguments: [(Track.melody, "Pluck", 60 as UInt8), (.chords, "E-piano", 48), (.bass, "Acid", 36)])
    func `level and brightness rise with velocity, without a step`(track: Track, preset: String, key: UInt8) {
        let full = score(track, preset, [(.dynamics, 1)])
        let sounds = stride(from: UInt8(24), through: 96, by: 6).map { sound(full, track, key: key, velocity: $0) }
        let levels = sounds.map { decibels($0.rms) }
        let centroids = sounds.map(centroid)
        for index in sounds.indices.dropFirst() {
            #expect((0.2...4.5).contains(levels[index] - levels[index - 1]), "\(levels)")
            #expect((1.0...1.25).contains(centroids[index] / centroids[index - 1]), "\(centroids)")
        }
        #expect(sound(full, track, key: key, velocity: 96) == sound(full, track, key: key, velocity: 127))
    }

    @Test func `the gain is 40 log10 of the velocity over 96, within -24 dB`() {
        let full = score(.melody, "Sine", [(.dynamics, 1)])
        let loudest = sound(full, .melody, key: 60, velocity: 96).rms
        for velocity in [UInt8(1), 20, 48, 64, 90] {
            let wanted = max(-24, 40 * log10(Double(velocity) / 96))
            let gain = decibels(sound(full, .melody, key: 60, velocity: velocity).rms / loudest)
            #expect(abs(gain - wanted) < 0.01, "\(gain) dB instead of \(wanted)")
        }
    }

    @Test func `a key 6.02 dB below an accent sounds like a normal note`() {
        let (two, full) = (score(.melody, "Pluck", []), score(.melody, "Pluck", [(.dynamics, 1)]))
        // 40 log10(68/96) is -5.99 dB.
        let (normal, key) = (
            sound(two, .melody, key: 60, velocity: 64), sound(full, .melody, key: 60, velocity: 68)
        )
        let difference = zip(normal, key).map { $0 - $1 }.rms / normal.rms
        #expect(decibels(difference) < -40)
    }

    @Test(arguments: [0.0, 1, 2])
    func `accents are ignored`(accents: Double) {
        let full = score(.bass, "Round", [(.dynamics, 1)])
        let other = score(.bass, "Round", [(.dynamics, 1), (.accents, accents)])
        #expect(
            sound(full, .bass, key: 36, velocity: 50) == sound(other, .bass, key: 36, velocity: 50))
    }

    @Test func `keys are recorded as accents with their level`() {
        for (velocity, level) in [(UInt8(96), Int8(0)), (68, -6), (48, -12), (10, -24)] {
            let driver = OfflineDriver(score(.rhythm, "909", [(.dynamics, 1)]))
            driver.schedule(.command(.play), at: 0)
            driver.schedule(.command(.record(true)), at: 0)
            driver.receive(MidiEvent(frame: 0, count: 3, 0x99, 36, velocity), at: 100)
            _ = driver.record(frames: 1000)
            let notes = driver.fetchNotices().compactMap { notice in
                if case .recorded(let note) = notice { note } else { nil }
            }
            #expect(notes.map(\.level) == [level] && notes.allSatisfy(\.isAccent))
        }
    }

    @Test(arguments: [
        (Track.chords, "Organ", 5.8), (.chords, "Glass", 4.2), (.chords, "E-piano", 4.7), (.melody, "Tine", 5.3),
    ])
    func `held notes sway by 10 %, and not at all by default`(track: Track, preset: String, rate: Double) {
        let key: UInt8 = track == .chords ? 48 : 60
        let (still, moving) = (
            sound(score(track, preset, []), track, key: key, velocity: 100, seconds: 2),
            sound(score(track, preset, [(.sway, 1)]), track, key: key, velocity: 100, seconds: 2)
        )
        func gain(at seconds: Double) -> Double {
            let range = Int(seconds * 48_000) - 240..<Int(seconds * 48_000) + 240
            return moving[range].rms / still[range].rms
        }
        for turn in 0..<5 {
            let start = Double(turn) / rate
            #expect(abs(gain(at: start + 0.25 / rate) - 1.1) < 0.01)
            #expect(abs(gain(at: start + 0.75 / rate) - 0.9) < 0.01)
        }
        #expect(abs(moving[0..<200].rms / still[0..<200].rms - 1) < 0.01)
    }

    @Test func `sounds that move anyway do not sway, and swaying is the same at any period`() {
        let (still, moving) = (score(.melody, "Lead", []), score(.melody, "Lead", [(.sway, 1)]))
        #expect(
            sound(still, .melody, key: 60, velocity: 100) == sound(moving, .melody, key: 60, velocity: 100))
        func record(_ periods: [Int]) -> [Float] {
            let organ = score(.chords, "Organ", [(.sway, 1), (.drift, 1)])
            let driver = OfflineDriver(organ)
            driver.schedule(.command(.audition(track: 1, notes: 0b10010001, velocity: 2)), at: 0)
            return driver.record(frames: 6000, periods: periods)[.track(.chords)]
        }
        let isTheSame = record([512]) == record([64, 1000, 17])
        #expect(isTheSame)
    }
}
