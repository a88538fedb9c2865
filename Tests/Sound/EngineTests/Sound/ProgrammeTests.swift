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

    @Test(arguments: ["demo", "mixes/house", "mixes/trap", "mixes/ambient"])
    func `it is as loud, as bright and as wide as records are`(name: String) throws {
        let isAmbient = name == "mixes/ambient"
        let mix = Programme(try record(name, seconds: isAmbient ? 14 : 10.5))
        for (figure, value) in mix.figures { Figures.show("MIX \(name) \(figure)", decibels: value) }
        #expect(abs(mix.loudness + 14) < 0.5, "\(mix.loudness) LUFS")
        #expect(mix.peak < -0.5 && mix.peak - mix.loudness < 13, "\(mix.peak) dBTP")
        #expect((isAmbient ? -35 ... -19 : -22 ... -19).contains(mix.brightness), "\(mix.brightness) dB")
        #expect((-14 ... -8).contains(mix.width), "\(mix.width) dB")
        #expect((-15 ... -9).contains(mix.highWidth), "\(mix.highWidth) dB from 8 to 16 kHz")
        #expect(mix.lowWidth < -30, "\(mix.lowWidth) dB below 120 Hz")
        #expect(abs(mix.fold) < 1, "\(mix.fold) LU")
        #expect((isAmbient ? -7.5 ... -6.5 : -5.5 ... -4).contains(mix.slope), "\(mix.slope) dB an octave")
    }

    @Test func `the demo's scenes are louder and quieter`() throws {
        var pattern = try PatternFormat.decode(RepositoryFile("config/demo.json").content)
        let loudness = (0..<4).map { scene in
            for track in Track.allCases { pattern.playing.play(Slot(track, scene)) }
            let heard = OfflineDriver.playing(Score(Document(pattern: pattern))).record(seconds: 8)
            return Loudness.integrated(heard[.mainLeft], heard[.mainRight], sampleRate: 48_000)
        }
        #expect(loudness.max()! < -13 && loudness.max()! - loudness.min()! > 4, "\(loudness)")
    }
}

/// What is measured of a mix.
private struct Programme {
    /// In LUFS.
    let loudness: Double
    /// The true peak in dBTP.
    let peak: Double
    /// 8 to 16 kHz relative to the whole, in dB.
    let brightness: Double
    /// Side to mid in dB: of all, from 8 to 16 kHz, and below 120 Hz.
    let (width, highWidth, lowWidth): (Double, Double, Double)
    /// How much louder the mono sum on both sides is, in LU.
    let fold: Double
    /// Of the power density over thirds of octaves from 125 Hz to 8 kHz, in dB an octave.
    let slope: Double

    init(_ recording: OfflineRecording) {
        let (left, right) = (recording[.mainLeft], recording[.mainRight])
        let mid = zip(left, right).map { 0.5 * ($0 + $1) }
        let side = zip(left, right).map { 0.5 * ($1 - $0) }
        loudness = Loudness.integrated(left, right, sampleRate: 48_000)
        peak = decibels(max(left.truePeak, right.truePeak))
        fold = Loudness.integrated(mid, mid, sampleRate: 48_000) - loudness
        width = decibels(side.rms / mid.rms)

        let centers = (0...18).map { 125 * exp2(Double($0) / 3) }
        let thirds = centers.map { $0 * exp2(-1.0 / 6)...$0 * exp2(1.0 / 6) }
        let bands = [8000.0...16_000, 20.0...120, 20.0...20_000] + thirds
        let mids = mid.energies(in: bands, sampleRate: 48_000)
        let sides = side.energies(in: bands, sampleRate: 48_000)
        let sums = zip(mids, sides).map { $0 + $1 }
        brightness = 10 * log10(sums[0] / sums[2])
        highWidth = 10 * log10(sides[0] / mids[0])
        lowWidth = 10 * log10(sides[1] / mids[1])
        slope = Programme.slope(zip(sums.dropFirst(3), centers).map { 10 * log10($0 / $1) }, perOctave: 3)
    }

    /// The slope of the straight line that is closest to the values.
    private static func slope(_ values: [Double], perOctave: Double) -> Double {
        let middle = Double(values.count - 1) / 2
        let offsets = values.indices.map { Double($0) - middle }
        return perOctave * zip(offsets, values).reduce(0) { $0 + $1.0 * $1.1 } / offsets.reduce(0) { $0 + $1 * $1 }
    }

    var figures: [(String, Double)] {
        [
            ("LUFS", loudness), ("true peak", peak), ("8-16 kHz", brightness), ("side", width),
            ("side 8-16 kHz", highWidth), ("side below 120 Hz", lowWidth), ("fold", fold), ("slope per octave", slope),
        ]
    }
}
