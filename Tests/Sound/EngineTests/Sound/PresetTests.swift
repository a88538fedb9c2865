import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// A preset of a pitched track.
struct Preset: CustomTestStringConvertible, Sendable {
    let track: Track
    let index: Int

    var testDescription: String { "\(track) \(track.soundNames[index])" }

    /// All presets but each track's first.
    static let all = Track.allCases.filter(\.isPitched).flatMap { track in
        track.soundNames.indices.dropFirst().map { Preset(track: track, index: $0) }
    }

    /// The presets with one or two oscillators through a filter.
    static let ofTables = all.filter { if case .tables = $0.description.voice { true } else { false } }

    var description: PitchedPreset {
        guard case .pitched(_, let presets) = TrackLayout.all[track.rawValue].kind else { fatalError("drums") }
        return presets[index]
    }

    /// One note's audio from its first frame on.
    func render(
        _ note: Int, _ velocity: Velocity = .accent, sustain: Int = 0, bpm: Double = 120, sampleRate: Double = 48_000,
        seconds: Double
    ) -> [Float] {
        var cells = TestNote.sustained(track, note, count: sustain)
        cells[0].velocity = velocity
        return OfflineDriver.playing(score(cells, bpm: bpm), sampleRate: sampleRate)
            .record(seconds: seconds)[.track(track)]
    }

    func score(_ cells: [TestNote], bpm: Double = 120) -> Score {
        var score = Score.with(cells, bpm: bpm)
        score.parameters[.preset, track.rawValue] = Double(index)
        return score
    }
}

@Suite struct PresetTests {
    @Test func `the presets and kits are those that have names`() {
        #expect(Set(PitchedPreset.melody.keys) == Set(Track.melody.soundNames))
        #expect(Set(PitchedPreset.chords.keys) == Set(Track.chords.soundNames))
        #expect(Set(PitchedPreset.bass.keys) == Set(Track.bass.soundNames))
        #expect(Set(KitDescription.byName.keys) == Set(Track.rhythm.soundNames))
    }

    @Test(arguments: Preset.all)
    func `presets of a track are equally loud`(preset: Preset) {
        // Of a note of 150 ms and one of 0.95 s, the mean of all twelve.
        let target = [Track.melody: -20.0, .chords: -24, .bass: -21][preset.track]!
        let levels = (0..<Track.noteCount).flatMap { note in
            [
                Loudness.level(preset.render(note, seconds: 0.15)[...], sampleRate: 48_000),
                Loudness.level(preset.render(note, sustain: 7, seconds: 0.4)[...], sampleRate: 48_000),
            ]
        }
        let level = levels.reduce(0, +) / Double(levels.count)
        #expect(abs(level - target) < 0.5, "LEVEL \(preset.testDescription): \(level - target) dB off")
    }

    @Test(arguments: Preset.all)
    func `a preset is as loud at every sample rate`(preset: Preset) {
        let reference = Loudness.level(preset.render(7, seconds: 0.15)[...], sampleRate: 48_000)
        for sampleRate in [44_100.0, 96_000, 192_000] {
            let level = Loudness.level(
                preset.render(7, sampleRate: sampleRate, seconds: 0.15)[...], sampleRate: sampleRate)
            #expect(abs(level - reference) < 0.1, "\(Int(sampleRate)) Hz")
        }
    }

    @Test(arguments: Preset.all)
    func `an accent is twice as loud where the preset says so, and brighter elsewhere`(preset: Preset) {
        let (accent, normal) = (preset.render(4, .accent, seconds: 0.1), preset.render(4, .normal, seconds: 0.1))
        let isLouder =
            switch preset.description.voice {
            case .tables(_, _, let sweep): sweep.normalFactor == 1
            case .modulated(let modulator): modulator.normalFactor == 1
            }
        let isDouble = zip(accent, normal).allSatisfy { $0 == 2 * $1 }
        #expect(isDouble == isLouder)
        #expect(accent.rms > 1.6 * normal.rms)
    }

    @Test(arguments: Preset.ofTables)
    func `nothing but the oscillators' harmonics is above -70 dB`(preset: Preset) {
        guard case .tables(let first, let second, _) = preset.description.voice else { return }
        for note in 0..<Track.noteCount {
            // After two seconds the filter and the level are settled.
            let samples = preset.render(note, sustain: 31, bpm: 120, seconds: 2 + 16_384.0 / 48_000)
            let spectrum = Spectrum(samples.suffix(16_384), sampleRate: 48_000)
            let pitch = frequency(pitch: preset.track.midiPitch(of: note))
            let ratios = [first.ratio] + (second.map { [$0.ratio] } ?? [])
            let strongest = spectrum.amplitudes.max()!
            let worst = spectrum.amplitudes.enumerated().filter { bin, _ in
                ratios.allSatisfy { ratio in
                    let fundamental = pitch * ratio
                    let nearest = max(1, (Double(bin) * spectrum.resolution / fundamental).rounded()) * fundamental
                    return abs(Double(bin) * spectrum.resolution - nearest) > 6 * spectrum.resolution
                }
            }.map(\.element).max()!
            #expect(decibels(worst / strongest) < -70, "note \(note)")
        }
    }

    @Test(arguments: Preset.all)
    func `a preset makes no click when it is struck, struck again, or stopped`(preset: Preset) {
        let cells = TestNote.sustained(preset.track, 4, count: 3) + [TestNote(track: preset.track, note: 4, step: 4)]
        let calm = OfflineDriver.playing(preset.score(cells, bpm: 240)).record(seconds: 0.25)[.track(preset.track)]
        let driver = OfflineDriver.playing(preset.score(cells, bpm: 240))
        let again = RtCommand.audition(track: Int32(preset.track.rawValue), notes: 1 << 4, velocity: 2)
        driver.schedule(.command(again), at: 5003)
        driver.schedule(.command(.stop), at: 8001)
        let samples = driver.record(seconds: 0.25)[.track(preset.track)]
        // Where it is struck again, two voices' slopes add up while one fades.
        #expect(samples[5003..<5300].steepestStep <= 2 * calm.steepestStep + 0.002)
        #expect(samples[8001...].steepestStep <= calm.steepestStep + 0.002)
        #expect(samples[8245...].peak == 0)
        #expect(samples[0] < 0.02)
    }

    @Test(arguments: Track.allCases.filter(\.isPitched))
    func `a sounding note keeps its preset, the next one has the new`(track: Track) {
        let cells = [TestNote(track: track, note: 4, step: 0), TestNote(track: track, note: 4, step: 2)]
        func record(_ presets: [Int], isSecond: Bool) -> ArraySlice<Float> {
            let driver = OfflineDriver.playing(Preset(track: track, index: presets[0]).score(cells, bpm: 60))
            driver.schedule(.score(Preset(track: track, index: presets[1]).score(cells, bpm: 60)), at: 5003)
            // A step has 12000 frames.
            let samples = driver.record(frames: 36_000)[.track(track)]
            return isSecond ? samples[24_000...] : samples[..<24_000]
        }
        #expect(record([3, 6], isSecond: false) == record([3, 3], isSecond: false))
        #expect(record([3, 6], isSecond: true) == record([6, 6], isSecond: true))
    }

    @Test(arguments: Preset.all)
    func `a note of a preset is in tune`(preset: Preset) {
        guard preset.index > 0, case .tables(let first, nil, _) = preset.description.voice else { return }
        #expect(first.ratio == 1)
        let samples = preset.render(9, sustain: 15, seconds: 1)
        let pitch = frequency(pitch: preset.track.midiPitch(of: 9))
        let tone = Tone(in: samples[24_000..<44_000], near: pitch, sampleRate: 48_000)
        #expect(abs(cents(tone.frequency, above: pitch)) < 0.1)
    }
}
