import ArgumentParser
import Engine
import Foundation
import Music
import OfflineAudio
import PatternFormat
import TestSupport

/// What a mix sounds like, in figures.
struct MixBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mix",
        abstract: "Loudness, spectrum and width of patterns, and where kick and bass get in each other's way.",
        discussion: """
            Each pattern is rendered for a minute at 48 kHz with the tracks' ports. LUFS: integrated (ITU-R BS.1770-4, gated). \
            Side: what the channels differ by, beside what they have in common. A track's own figures are those of its port.
            """)

    @Argument(help: "Patterns as JSON.")
    var patterns = ["demo", "mixes/house", "mixes/trap", "mixes/ambient"].map { "config/\($0).json" }

    func run() throws {
        for path in patterns {
            let pattern = try PatternFormat.decode(try Data(contentsOf: URL(filePath: path)))
            try MixFigures(of: pattern).show(as: URL(filePath: path).deletingPathExtension().lastPathComponent)
        }
    }
}

/// A minute of a pattern, and what can be measured of it.
struct MixFigures {
    private static let rate = 48_000.0
    private static let seconds = 60.0
    private let recording: OfflineRecording

    init(of pattern: Pattern) throws {
        let driver = try OfflineDriver(
            engine: Engine(score: Score(Document(pattern: pattern))), sampleRate: Self.rate)
        driver.schedule(.command(.play), at: 0)
        recording = driver.record(frames: Int(Self.seconds * Self.rate))
    }

    func show(as name: String) {
        let (left, right) = (recording[.mainLeft], recording[.mainRight])
        let (middle, side) = (zip(left, right).map { ($0 + $1) / 2 }, zip(left, right).map { ($0 - $1) / 2 })
        print(
            "\(name): \(text(Loudness.integrated(left, right, sampleRate: Self.rate))) LUFS, peak \(text(decibels(max(left.peak, right.peak)))) dBFS, "
                + "side \(text(decibels(side.rms / middle.rms))) dB, correlation \(text(correlation(left, right)))")
        let tracks = Track.allCases.map { recording[.track($0)] }
        print(
            "  tracks, LUFS: "
                + zip(Track.allCases, tracks).map { "\($0) \(text(Loudness.integrated($1, sampleRate: Self.rate)))" }
                .joined(separator: ", "))
        print("  third of an octave, dB: main, side, bass, rhythm")
        let spectra = [middle, side, tracks[2], tracks[3]].map(thirds)
        for (index, centre) in Self.centres.enumerated() {
            print(String(format: "  %7.0f Hz", centre) + spectra.map { String(format: "%8.1f", $0[index]) }.joined())
        }
        let bass = tracks[2]
        print(
            "  bass above 200 Hz: \(text(share(of: bass, above: 200))) dB of the whole; "
                + "bass under the kick, 40 to 120 Hz: \(text(masking(kick: tracks[3], bass: bass))) dB")
    }

    // MARK: Spectra

    private static let centres = (0...28).map { 1000 * pow(2, Double($0 - 15) / 3) }

    /// The mean power in each third of an octave, in dB.
    private func thirds(_ samples: [Float]) -> [Double] {
        let powers = power(samples)
        return Self.centres.map { centre in
            let band = centre / pow(2, 1.0 / 6)...centre * pow(2, 1.0 / 6)
            return 10 * log10(powers.reduce(1e-20) { band.contains($1.frequency) ? $0 + $1.power : $0 })
        }
    }

    private func power(_ samples: [Float]) -> [(frequency: Double, power: Double)] {
        let length = 16_384
        let spectra = stride(from: 0, to: samples.count - length, by: length).map {
            Spectrum(samples[$0..<$0 + length], sampleRate: Self.rate)
        }
        let resolution = spectra[0].resolution
        return spectra[0].amplitudes.indices.map { bin in
            let sum = spectra.reduce(0) { $0 + $1.amplitudes[bin] * $1.amplitudes[bin] }
            return (Double(bin) * resolution, sum / Double(spectra.count))
        }
    }

    /// How much of the power lies above a frequency, in dB.
    private func share(of samples: [Float], above frequency: Double) -> Double {
        let powers = power(samples)
        let (all, high) = powers.reduce((1e-20, 1e-20)) { sums, bin in
            (sums.0 + bin.power, sums.1 + (bin.frequency >= frequency ? bin.power : 0))
        }
        return 10 * log10(high / all)
    }

    /// How loud the bass is beside the drums while these are loud, where both are low, in dB.
    private func masking(kick: [Float], bass: [Float]) -> Double {
        let length = 4096
        var sums = (kick: 1e-20, bass: 1e-20)
        for start in stride(from: 0, to: kick.count - length, by: length) {
            let spectra = [kick, bass].map { Spectrum($0[start..<start + length], sampleRate: Self.rate) }
            let powers = spectra.map { pow($0.level(in: 40...120), 2) }
            guard powers[0] > 1e-5 else { continue }
            sums.kick += powers[0]
            sums.bass += powers[1]
        }
        return 10 * log10(sums.bass / sums.kick)
    }

    private func correlation(_ left: [Float], _ right: [Float]) -> Double {
        let product = zip(left, right).reduce(0.0) { $0 + Double($1.0) * Double($1.1) } / Double(left.count)
        return product / (left.rms * right.rms)
    }

    private func text(_ number: Double) -> String { String(format: "%.1f", number) }
}
