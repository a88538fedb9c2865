import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// Noise is the same at every sample rate, as far as it can be heard.
@Suite struct NoiseTests {
    /// The middles of thirds of an octave from 100 Hz to 18 kHz.
    private static let thirds = (-10...12).map { 1000 * exponential(Double($0) / 3 * 0.693_147_180_559_945_3) }

    @Test(arguments: [44_100.0, 48_000])
    func `every Hz has as much noise as at 48 kHz`(sampleRate: Double) {
        var noise = NoiseLanes(seed: 1, sampleRate: sampleRate)
        let samples = (0..<16_384).map { _ in noise.next() }
        // White, so that it is spread evenly over all frequencies...
        for lag in [1, 2, 4] {
            let product = zip(samples, samples.dropFirst(lag)).reduce(0) { $0 + ($1.0 * $1.1).total }
            let power = samples.reduce(0) { $0 + ($1 * $1).total }
            #expect(abs(product / power) < 0.02)
        }
        // ... and of a power that rises with how many there are.
        let power = samples.reduce(0.0) { $0 + Double(($1 * $1).total) } / Double(samples.count * laneCount)
        #expect(abs(0.5 * decibels(3 * power * 48_000 / sampleRate)) < 0.05)
    }

    @Test(arguments: [44_100.0, 48_000, 96_000, 192_000])
    func `what is left out of noise cannot be heard`(sampleRate: Double) {
        var limit = EarLimit(sampleRate: sampleRate)
        let answer = (0..<16_384).map { limit.filter(Lanes(repeating: $0 == 8192 ? 1 : 0)).x }
        let spectrum = Spectrum(answer[...], sampleRate: sampleRate)
        let full = spectrum.peak(in: 990...1010)
        for third in Self.thirds {
            #expect(abs(decibels(spectrum.peak(in: third - 20...third + 20) / full)) < 0.15, "\(third) Hz")
        }
        if sampleRate > 60_000 { #expect(decibels(spectrum.peak(in: 30_000...47_000) / full) < -30) }
    }

    @Test(arguments: [44_100.0, 88_200, 96_000, 192_000], [1000.0, 1500, 4000, 6000, 7000, 10_000])
    func `a steady high-pass passes the same at every rate`(sampleRate: Double, corner: Double) {
        for q in [0.7, 0.9] { expectSame(.highPass, corner, q: q, sampleRate: sampleRate, floor: -35, within: 0.3) }
    }

    @Test(arguments: [44_100.0, 88_200, 96_000, 192_000], [900.0, 2500, 4500, 6000])
    func `a steady low-pass passes the same at every rate`(sampleRate: Double, corner: Double) {
        expectSame(.lowPass, corner, q: 0.7, sampleRate: sampleRate, floor: -20, within: 0.2)
    }

    @Test(
        arguments: [44_100.0, 88_200, 96_000, 192_000], [(900.0, 2.0), (1250, 1), (2600, 4), (3440, 1.2), (9500, 2.5)])
    func `a steady band-pass passes its band at every rate`(sampleRate: Double, band: (centre: Double, q: Double)) {
        expectSame(.bandPass, band.centre, q: band.q, sampleRate: sampleRate, floor: -6, within: 0.5)
    }

    /// Compares with 48 kHz wherever that passes more than a floor in dB.
    private func expectSame(
        _ kind: BiquadCoefficients.Kind, _ frequency: Double, q: Double, sampleRate: Double, floor: Double,
        within tolerance: Double
    ) {
        let here = BiquadCoefficients(steady: kind, frequency: frequency, q: q, sampleRate: sampleRate)
        let there = BiquadCoefficients(kind, frequency: frequency, q: q, sampleRate: 48_000)
        for third in Self.thirds {
            let wanted = 0.5 * decibels(there.power(at: third / 48_000))
            guard wanted > floor else { continue }
            let level = 0.5 * decibels(here.power(at: third / sampleRate))
            #expect(abs(level - wanted) < tolerance, "\(kind) at \(frequency): \(level) dB at \(third) Hz, \(wanted)")
        }
    }

    @Test(arguments: [8000.0, 11_025, 22_050])
    func `a steady filter is stable at the lowest rates`(sampleRate: Double) {
        for kind in [BiquadCoefficients.Kind.lowPass, .highPass, .bandPass] {
            for frequency in [500.0, 4000, 10_000] {
                let filter = BiquadCoefficients(steady: kind, frequency: frequency, q: 1, sampleRate: sampleRate)
                #expect(abs(filter.a2) < 1 && abs(filter.a1) < 1 + filter.a2)
                #expect(filter.b0.isFinite && filter.b1.isFinite && filter.b2.isFinite)
            }
        }
    }

    @Test(arguments: [44_100.0, 96_000, 192_000])
    func `cymbals are as bright and as loud at every rate`(sampleRate: Double) {
        let (here, there) = (levels(at: sampleRate), levels(at: 48_000))
        // Chance takes its part in two seconds.
        for (level, wanted) in zip(here, there) { #expect(abs(decibels(level / wanted)) < 0.5) }
    }

    /// The levels of a roll of crashes from 4 to 16 kHz, in halves of an octave.
    private func levels(at sampleRate: Double) -> [Double] {
        let cells = (0..<32).map { Cell(track: .rhythm, note: Drum.crash.rawValue, step: $0) }
        let driver = OfflineDriver.playing(.with(cells, bpm: 300), sampleRate: sampleRate)
        let samples = driver.record(seconds: 2)[.track(.rhythm)]
        let size = sampleRate > 100_000 ? 16_384 : sampleRate > 50_000 ? 8192 : 4096
        var sums = [Double](repeating: 0, count: 4)
        for start in stride(from: 0, through: samples.count - size, by: size / 2) {
            let spectrum = Spectrum(samples[start..<start + size], sampleRate: sampleRate)
            for band in sums.indices {
                let low = 4000 * squareRoot(Double(1 << band))
                let level = spectrum.level(in: low...low * 1.414)
                sums[band] += level * level
            }
        }
        return sums.map { squareRoot($0 / Double((samples.count - size) / (size / 2) + 1)) }
    }
}
