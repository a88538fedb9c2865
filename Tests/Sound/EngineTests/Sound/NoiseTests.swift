import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// Noise sounds the same at every sample rate.
@Suite struct NoiseTests {
    static let rates = [44_100.0, 88_200, 96_000, 192_000]
    /// Thirds of an octave from 100 Hz to 16 kHz.
    private static let thirds = (-10...12).map { index in
        let middle = 1000 * pow(2, Double(index) / 3)
        return middle * pow(2, -1.0 / 6)...middle * pow(2, 1.0 / 6)
    }

    @Test(arguments: [22_050.0, 48_000])
    func `every Hz has as much noise as at 48 kHz`(rate: Double) {
        var noise = NoiseLanes(rate: rate)
        for lane in 0..<laneCount { noise.start(lane, seed: UInt32(lane)) }
        let samples = (0..<16_384).map { _ in noise.next() }
        // White, so that it is spread evenly over all frequencies...
        for lag in [1, 2, 4] {
            let product = zip(samples, samples.dropFirst(lag)).reduce(0) { $0 + ($1.0 * $1.1).total }
            let power = samples.reduce(0) { $0 + ($1 * $1).total }
            #expect(abs(product / power) < 0.02)
        }
        // ... and with a power that is proportional to their number.
        let power = samples.reduce(0.0) { $0 + Double(($1 * $1).total) } / Double(samples.count * laneCount)
        #expect(abs(0.5 * decibels(3 * power * 48_000 / rate)) < 0.05)
    }

    @Test func `the noise of one hit is independent of another's`() {
        let hits = (0..<64).map { seed in
            var noise = NoiseLanes(rate: 48_000)
            noise.start(0, seed: UInt32(seed))
            return (0..<2048).map { _ in noise.next().x }
        }
        for (index, hit) in hits.enumerated() {
            #expect(abs(hit.mean) < 0.06)
            for other in hits.dropFirst(index + 1) {
                let product = zip(hit, other).reduce(0) { $0 + $1.0 * $1.1 }
                #expect(abs(product) / 2048 * 3 < 0.12)
            }
        }
    }

    /// A second of steady noise through a filter.
    private func steadyNoise(_ filter: FilterDescription, sampleRate: Double) -> [Float] {
        let memory = Resampler.makeMemory()
        var source = NoiseSource(memory, sampleRate: sampleRate)
        source.reset(nil, isLimited: true)
        let coefficients = BiquadCoefficients(
            filter.kind, frequency: filter.frequency, q: filter.q, sampleRate: NoiseRate.of(sampleRate: sampleRate))
        source.start(coefficients, isMetal: false, seed: 1, lane: 0)
        source.begin()
        // Under a window, so that beginning and end are not heard.
        return (0..<Int(sampleRate)).map { frame in
            source.next().x * Float(0.5 - 0.5 * cos(2 * .pi * Double(frame) / sampleRate))
        }
    }

    @Test(
        arguments: rates,
        [
            FilterDescription(.highPass, frequency: 1000), FilterDescription(.highPass, frequency: 8000, q: 0.9),
            FilterDescription(.lowPass, frequency: 900, q: 0.7), FilterDescription(.bandPass, frequency: 1250, q: 1),
            FilterDescription(.bandPass, frequency: 9500, q: 2.5),
        ])
    func `steady noise is the same in every third of an octave up to 18 kHz`(
        sampleRate: Double, filter: FilterDescription
    ) {
        let (here, there) = (steadyNoise(filter, sampleRate: sampleRate), steadyNoise(filter, sampleRate: 48_000))
        let levels = here.energies(in: Self.thirds, sampleRate: sampleRate)
        let wanted = there.energies(in: Self.thirds, sampleRate: 48_000)
        // A band 40 dB below the loudest is not heard beside it.
        for (band, level) in levels.enumerated() where wanted[band] > 1e-4 * wanted.max()! {
            let off = 10 * log10(level / wanted[band])
            #expect(abs(off) < 0.2, "\(off) dB from \(Int(Self.thirds[band].lowerBound)) Hz on")
        }
        // Inaudible frequencies are left out at every rate.
        let ends = [100...20_000, 26_000...47_000] as [ClosedRange<Double>]
        let sums = here.energies(in: ends, sampleRate: sampleRate)
        if sampleRate > 60_000 { #expect(10 * log10(sums[1] / sums[0]) < -40) }
    }

    @Test(arguments: rates)
    func `a tone passes the resampler unchanged`(sampleRate: Double) {
        let memory = Resampler.makeMemory()
        for frequency in [100.0, 1000, 8000, 17_900] {
            var resampler = Resampler(memory, sampleRate: sampleRate)
            var lanes = LaneOwners()
            lanes.insert(0)
            var input = 0
            let samples = (0..<8192).map { _ in
                while resampler.needsInput {
                    let sample = Float(sin(2 * .pi * frequency * Double(input) / 48_000))
                    resampler.feed(Lanes(repeating: sample), only: lanes)
                    input += 1
                }
                return resampler.next(only: lanes).x
            }
            let spectrum = Spectrum(samples[4096...], sampleRate: sampleRate)
            let level = spectrum.peak(in: frequency - 60...frequency + 60)
            // Between two bins the window reads up to 0.8 dB low; a sine of the same frequency shows by how much.
            let sine = (0..<4096).map { Float(sin(2 * .pi * frequency * Double($0) / sampleRate)) }
            let wanted = Spectrum(sine[...], sampleRate: sampleRate).peak(in: frequency - 60...frequency + 60)
            #expect(abs(decibels(level / wanted)) < 0.06, "\(frequency) Hz")
            #expect(decibels(spectrum.strongestInharmonic(of: frequency)) < -45, "\(frequency) Hz")
        }
    }

    /// How many hits are measured, and how many seconds of each. They have the same noise at every rate, so that few
    /// suffice, except for a clap below its band, where little but chance is left.
    private static func measure(of drum: Drum) -> (hits: Int, seconds: Double) {
        switch drum {
        case .clap: (200, 0.2)
        case .openHat: (20, 0.5)
        default: (20, 0.1)
        }
    }

    /// The levels in dB of a drum's hits in each third of an octave.
    private func levels(of drum: Drum, kit: Int, sampleRate: Double) -> [Double] {
        var score = Score.with([])
        score.parameters[.kit, Track.rhythm.rawValue] = Double(kit)
        let driver = OfflineDriver(score, sampleRate: sampleRate)
        let measure = Self.measure(of: drum)
        let distance = Int(measure.seconds * sampleRate)
        let hit = RtCommand.audition(track: 3, notes: 1 << UInt16(drum.rawValue), velocity: 2)
        for index in 0..<measure.hits { driver.schedule(.command(hit), at: Int64(index * distance)) }
        var sums = [Double](repeating: 0, count: Self.thirds.count)
        for _ in 0..<measure.hits {
            let samples = driver.record(frames: distance)[.track(.rhythm)]
            for (index, energy) in samples.energies(in: Self.thirds, sampleRate: sampleRate).enumerated() {
                sums[index] += energy
            }
        }
        return sums.map { 10 * log10($0) }
    }

    @Test(arguments: 0..<5, [Drum.clap, .closedHat, .openHat])
    func `hats and claps have the same bands at every rate`(kit: Int, drum: Drum) {
        let wanted = levels(of: drum, kit: kit, sampleRate: 48_000)
        var worst = 0.0
        for sampleRate in isLongRun ? Self.rates : [44_100, 96_000] {
            let levels = levels(of: drum, kit: kit, sampleRate: sampleRate)
            for (band, level) in levels.enumerated() where wanted[band] > wanted.max()! - 30 {
                let off = level - wanted[band]
                worst = max(worst, abs(off))
                #expect(abs(off) < 0.3, "\(off) dB from \(Int(Self.thirds[band].lowerBound)) Hz on at \(sampleRate) Hz")
            }
        }
        Figures.show("\(drum), kit \(kit), between sample rates", decibels: worst)
    }
}
