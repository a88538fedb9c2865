import Foundation
import Music
import OfflineAudio
import PatternFormat
import TestSupport
import Testing

@testable import Engine

/// The patterns that come with the program, as music.
@Suite struct ProgrammeTests {
    private func record(_ name: String, seconds: Double) throws -> OfflineRecording {
        let pattern = try PatternFormat.decode(RepositoryFile("config/\(name).json").content)
        return OfflineDriver.playing(Score(Document(pattern: pattern))).record(seconds: seconds)
    }

    /// The energy in a band in Hz.
    private func energy(_ samples: [Float], _ band: ClosedRange<Double>) -> Double {
        samples.energies(in: [band], sampleRate: 48_000)[0]
    }

    @Test(arguments: ["demo", "mixes/house", "mixes/trap", "mixes/ambient"])
    func `it is as loud, as bright and as wide as records are`(name: String) throws {
        let mix = try record(name, seconds: name == "mixes/ambient" ? 14 : 10.5)
        let (left, right) = (mix[.mainLeft], mix[.mainRight])
        let loudness = Loudness.integrated(left, right, sampleRate: 48_000)
        let peak = decibels(max(left.peak, right.peak))
        let mid = zip(left, right).map { 0.5 * ($0 + $1) }
        let side = zip(left, right).map { 0.5 * ($1 - $0) }
        let highs = energy(left, 8000...16_000) + energy(right, 8000...16_000)
        let whole = energy(left, 20...20_000) + energy(right, 20...20_000)
        let brightness = 10 * log10(highs / whole)
        let lowSide = 10 * log10(energy(side, 20...120) / energy(mid, 20...120))
        let fold = Loudness.integrated(mid, mid, sampleRate: 48_000) - loudness
        let figures = [
            ("LUFS", loudness), ("peak", peak), ("8-16 kHz", brightness), ("side", decibels(side.rms / mid.rms)),
            ("side below 120 Hz", lowSide), ("fold", fold),
        ]
        for (figure, value) in figures { Figures.show("MIX \(name) \(figure)", decibels: value) }
        #expect(abs(loudness + 14) < 0.5, "\(loudness) LUFS")
        #expect(peak < -0.5 && peak - loudness < 13.5, "\(peak) dBFS")
        #expect(name == "mixes/ambient" ? brightness > -35 : (-22 ... -19).contains(brightness), "\(brightness) dB")
        #expect(abs(fold) < 1, "\(fold) LU")
    }
}
