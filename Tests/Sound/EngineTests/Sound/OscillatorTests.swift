import Foundation
import Music
import TestSupport
import Testing

@testable import Engine

/// The waveforms before filter and envelope.
@Suite struct OscillatorTests {
    /// Renders up to four frequencies (Hz) side by side.
    static func render(
        _ table: Wavetable?, _ frequencies: [Double], sampleRate: Double, count: Int
    ) -> [[Float]] {
        let tables = WavetableSet.at(sampleRate: sampleRate)
        let reader = tables.reader
        let bases = LaneBits(repeating: table.map(tables.base) ?? 0)
        var increments = LaneBits.zero
        for (lane, frequency) in frequencies.enumerated() {
            increments[lane] = phaseIncrement(frequency, sampleRate: sampleRate)
        }
        var phases = LaneBits.zero
        var waves = frequencies.map { _ in [Float]() }
        for _ in 0..<count {
            phases &+= increments
            let wave = table == nil ? sine(halfTurns: Lanes(bipolar: phases)) : reader.read(phases, bases)
            for lane in waves.indices { waves[lane].append(wave[lane]) }
        }
        return waves
    }

    static func frequencies(_ track: Track) -> [Double] {
        (0..<Track.noteCount).map { 440 * exp2(Double(track.midiPitch(of: $0) - 69) / 12) }
    }

    private static let triangle = table(of: PitchedPreset.chords["Triangle"]!, .chords)
    private static let saw = table(of: PitchedPreset.bass["Saw"]!, .bass)

    private static func table(of preset: PitchedPreset, _ track: Track) -> Wavetable {
        preset.tables(highestFrequency: frequency(pitch: track.lowestPitch + Track.noteCount - 1))[0]
    }

    @Test func `the sine's distortion and noise stay 100 dB below it`() {
        for notes in [0..<4, 4..<8, 8..<12] {
            let frequencies = Array(Self.frequencies(.melody)[notes])
            let waves = Self.render(nil, frequencies, sampleRate: 48_000, count: 4800)
            for (wave, frequency) in zip(waves, frequencies) {
                let tone = Tone(in: wave[...], near: frequency, sampleRate: 48_000)
                #expect(decibels(tone.residual) < -100, "\(frequency) Hz")
            }
        }
    }

    @Test(arguments: [44_100.0, 48_000, 192_000])
    func `triangle and saw have nothing inharmonic above -60 dB at any note`(sampleRate: Double) {
        for (track, table) in [(Track.chords, Self.triangle), (.bass, Self.saw)] {
            for notes in [0..<4, 4..<8, 8..<12] {
                let frequencies = Array(Self.frequencies(track)[notes])
                let count = sampleRate > 100_000 ? 32_768 : 8192
                let waves = Self.render(table, frequencies, sampleRate: sampleRate, count: count)
                for (wave, frequency) in zip(waves, frequencies) {
                    let spectrum = Spectrum(wave[...], sampleRate: sampleRate)
                    let worst = decibels(spectrum.strongestInharmonic(of: frequency))
                    #expect(worst < -60, "\(track) \(frequency) Hz")
                }
            }
        }
    }

    @Test(arguments: [44_100.0, 48_000])
    func `the drums' waveforms have nothing inharmonic above -60 dB`(sampleRate: Double) {
        let tables = KitDescription.classic.tables
        #expect(tables.map(\.highestFrequency) == [800, 350, 560, 845])
        for table in tables {
            let frequency = table.highestFrequency
            let wave = Self.render(table, [frequency], sampleRate: sampleRate, count: 8192)[0]
            let spectrum = Spectrum(wave[...], sampleRate: sampleRate)
            #expect(decibels(spectrum.strongestInharmonic(of: frequency)) < -60, "\(table) \(frequency) Hz")
        }
    }

    @Test func `each waveform has the harmonics of its name`() {
        let frequency = 93.75  // the middle of a bin
        func harmonics(_ table: Wavetable) -> [Double] {
            let wave = Self.render(table, [frequency], sampleRate: 48_000, count: 16_384)[0]
            let spectrum = Spectrum(wave[...], sampleRate: 48_000)
            let amplitudes = (1...7).map { spectrum.peak(in: Double($0) * frequency - 5...Double($0) * frequency + 5) }
            return amplitudes.map { $0 / amplitudes[0] }
        }
        func expect(_ table: Wavetable, _ expected: [Double]) {
            for (found, wanted) in zip(harmonics(table), expected) { #expect(abs(found - wanted) < 0.005, "\(table)") }
        }
        expect(Self.saw, [1, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5, 1.0 / 6, 1.0 / 7])
        expect(Self.triangle, [1, 0, 1.0 / 9, 0, 1.0 / 25, 0, 1.0 / 49])
        expect(Wavetable(waveform: .square, highestFrequency: 845), [1, 0, 1.0 / 3, 0, 1.0 / 5, 0, 1.0 / 7])
    }

    @Test func `every table's peak is 1`() {
        for table in Set(TrackLayout.tables) {
            let wave = Self.render(table, [48_000.0 / 2048], sampleRate: 48_000, count: 2048)[0]
            #expect(abs(wave.peak - 1) < 1e-6, "\(table)")
        }
    }
}
