import Foundation
import TestSupport
import Testing

/// The measuring code, tested on signals whose faults are known.
@Suite struct AudioMeasureTests {
    private static let rate = 48_000.0

    private func tone(_ partials: [(Double, Double)], count: Int = 8192) -> [Float] {
        (0..<count).map { index in
            Float(partials.reduce(0) { $0 + $1.1 * sin(2 * .pi * $1.0 * Double(index) / Self.rate + 0.3) })
        }
    }

    private func noise(_ amplitude: Double, count: Int = 8192) -> [Float] {
        var random = SeededGenerator(seed: 5)
        return (0..<count).map { _ in Float(Double.random(in: -amplitude...amplitude, using: &random)) }
    }

    @Test(arguments: [65.406, 261.63, 987.77, 4000])
    func `a pitch is found to a thousandth of a cent, from some hertz away`(frequency: Double) {
        let samples = tone([(frequency, 0.2), (2 * frequency, 0.05), (3 * frequency, 0.03)])
        for offset in [-4.0, 0, 4] {
            let tone = Tone(in: samples[...], near: frequency + offset, sampleRate: Self.rate)
            #expect(abs(cents(tone.frequency, above: frequency)) < 0.01)
        }
    }

    @Test func `a pitch that is a tenth of a cent off is measured as such`() {
        let frequency = 440 * exp2(0.1 / 1200)
        let tone = Tone(in: tone([(frequency, 0.2)])[...], near: 440, sampleRate: Self.rate)
        #expect(abs(cents(tone.frequency, above: 440) - 0.1) < 0.001)
    }

    @Test(arguments: [-40.0, -60, -80, -100])
    func `distortion is measured at its true level`(level: Double) {
        let part = pow(10, level / 20)
        let distorted = Tone(in: tone([(440, 0.5), (1320, 0.5 * part)])[...], near: 440, sampleRate: Self.rate)
        #expect(abs(decibels(distorted.residual) - level) < 0.2)
    }

    @Test func `noise is measured at its true level, without the mean`() {
        let samples = zip(tone([(440, 0.5)]), noise(0.001)).map { $0 + $1 + 0.1 }
        let expected = decibels(0.001 / 3.0.squareRoot() / (0.5 / 2.0.squareRoot()))
        #expect(abs(decibels(Tone(in: samples[...], near: 440, sampleRate: Self.rate).residual) - expected) < 0.3)
    }

    @Test func `a partial between the harmonics is found, the harmonics are not`() {
        let frequency = 110.0
        let harmonics = (1...20).map { (Double($0) * frequency, 0.3 / Double($0)) }
        let clean = Spectrum(tone(harmonics)[...], sampleRate: Self.rate)
        #expect(decibels(clean.strongestInharmonic(of: frequency)) < -85)
        for level in [-50.0, -65] {
            let faulty = tone(harmonics + [(1265, 0.3 * pow(10, level / 20))])
            let found = Spectrum(faulty[...], sampleRate: Self.rate).strongestInharmonic(of: frequency)
            #expect(abs(decibels(found) - level) < 1)
        }
    }

    @Test func `a saw that aliases is caught`() {
        let frequency = 1234.5
        let naive = (0..<8192).map { index in
            Float(2 * (frequency * Double(index) / Self.rate).truncatingRemainder(dividingBy: 1) - 1)
        }
        #expect(decibels(Spectrum(naive[...], sampleRate: Self.rate).strongestInharmonic(of: frequency)) > -40)
    }

    @Test func `a band's peak and strongest frequency are those of the tone in it`() {
        let resolution = Self.rate / 8192
        let samples = tone([(100 * resolution, 0.25), (300 * resolution, 0.5)])
        let spectrum = Spectrum(samples[...], sampleRate: Self.rate)
        #expect(abs(spectrum.peak(in: 400...1000) - 0.25) < 1e-4)
        #expect(abs(spectrum.strongest(in: 0...24_000) - 300 * resolution) < 1e-6)
        #expect(spectrum.level(in: 5000...10_000) < 1e-4)
    }

    @Test func `white noise has the same level in bands of the same width`() {
        let spectrum = Spectrum(noise(0.5, count: 16_384)[...], sampleRate: Self.rate)
        let ratio = spectrum.level(in: 1000...6000) / spectrum.level(in: 15_000...20_000)
        #expect(abs(decibels(ratio)) < 1)
    }

    @Test func `peak, root mean square, mean and steepest step are those of the samples`() {
        let samples: [Float] = [0, 0.5, -1, 0.5, 0, 0]
        #expect(samples.peak == 1)
        #expect(abs(samples.rms - 0.5) < 1e-9)
        #expect(samples.mean == 0)
        #expect(samples.steepestStep == 1.5)
        #expect(samples.onset == 1 && samples.end == 4)
        #expect([Float]().rms == 0 && [Float](repeating: 0, count: 3).onset == nil)
    }
}
