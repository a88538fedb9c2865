import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// What makes 808 II and 909 II different from 808 and 909.
@Suite struct SecondKitTests {
    private func hits(_ drum: Drum, _ kit: String, seconds: Double, count: Int = 1) -> [[Float]] {
        var score = Score.with([])
        score.parameters[.kit, Track.rhythm.rawValue] = Double(Track.rhythm.soundNames.firstIndex(of: kit)!)
        let driver = OfflineDriver(score)
        let length = Int(seconds * 48_000)
        for index in 0..<count {
            let hit = RtCommand.audition(track: 3, notes: 1 << UInt16(drum.rawValue), velocity: 2)
            driver.schedule(.command(hit), at: Int64(index * length))
        }
        let samples = driver.record(frames: count * length)[.track(.rhythm)]
        return (0..<count).map { Array(samples[$0 * length..<($0 + 1) * length]) }
    }

    private func hit(_ drum: Drum, _ kit: String, seconds: Double) -> [Float] { hits(drum, kit, seconds: seconds)[0] }

    /// Milliseconds in which 90 % of the energy comes.
    private func ninetyPercent(of samples: [Float]) -> Double {
        var sum = 0.0
        let sums = samples.map { sample -> Double in
            sum += Double(sample) * Double(sample)
            return sum
        }
        return Double(sums.firstIndex { $0 >= 0.9 * sum }!) / 48
    }

    /// The mean of several hits.
    private func meanNinetyPercent(_ drum: Drum, _ kit: String, seconds: Double, above corner: Double? = nil) -> Double
    {
        let hits = hits(drum, kit, seconds: seconds, count: 8)
        return hits.reduce(0) { $0 + ninetyPercent(of: corner.map { [hit = $1] in highPassed(hit, $0) } ?? $1) } / 8
    }

    private func highPassed(_ samples: [Float], _ corner: Double) -> [Float] {
        var filter = BiquadLanes()
        filter.setCoefficients(
            BiquadCoefficients(.highPass, frequency: corner, q: 0.7, sampleRate: 48_000), lane: 0)
        let once = samples.map { filter.filter(Lanes(repeating: $0)).x }
        filter.reset(lane: 0)
        return once.map { filter.filter(Lanes(repeating: $0)).x }
    }

    /// The geometric mean of the power from 6 to 16 kHz over the arithmetic one, in dB: -2.5 for noise, far less for lines.
    private func flatness(_ samples: [Float], count: Int = 8192) -> Double {
        let spectrum = Spectrum(samples[..<count], sampleRate: 48_000)
        let bins = Int(6000 / spectrum.resolution)...Int(16_000 / spectrum.resolution)
        let powers = bins.map { max(pow(spectrum.amplitudes[$0], 2), 1e-30) }
        let logs = powers.reduce(0) { $0 + log10($1) } / Double(powers.count)
        return 10 * (logs - log10(powers.reduce(0, +) / Double(powers.count)))
    }

    @Test(arguments: ["808 II", "909 II"], [Drum.closedHat, .openHat])
    func `hats are noise, not a comb of lines`(kit: String, hat: Drum) {
        let flatness = flatness(hit(hat, kit, seconds: 0.2), count: hat == .openHat ? 8192 : 2048)
        #expect(flatness > -8, "\(flatness) dB")
        Figures.show("FLATNESS \(kit) \(hat)", decibels: flatness)
    }

    @Test func `the first 808's open hat is a comb of lines`() {
        #expect(flatness(hit(.openHat, "808", seconds: 0.2)) < -32)
    }

    @Test(arguments: ["808 II", "909 II"])
    func `hats are as long as the machines', and begin at once`(kit: String) {
        let (closed, open) = (
            meanNinetyPercent(.closedHat, kit, seconds: 0.2), meanNinetyPercent(.openHat, kit, seconds: 0.8)
        )
        #expect((15...20).contains(closed), "\(closed) ms")
        #expect(abs(open - 120) < 8, "\(open) ms")
        for hat in [Drum.closedHat, .openHat] {
            let samples = hit(hat, kit, seconds: 0.2)
            #expect(samples[..<96].peak > 0.5 * samples.peak)
        }
    }

    @Test(arguments: [("808 II", 25.0...35), ("909 II", 60.0...110)])
    func `the noise of snares is as long as the machines'`(kit: String, range: ClosedRange<Double>) {
        for snare in [Drum.snare, .snare2] {
            let milliseconds = meanNinetyPercent(snare, kit, seconds: 0.7, above: 2500)
            #expect(range.contains(milliseconds), "\(milliseconds) ms")
        }
    }

    @Test(arguments: ["808 II", "909 II"])
    func `claps have 90 % of their energy in 50 ms`(kit: String) {
        let milliseconds = meanNinetyPercent(.clap, kit, seconds: 0.4)
        #expect(abs(milliseconds - 50) < 5, "\(milliseconds) ms")
    }

    /// The frequency in Hz of the cycle that is under way at a time in seconds.
    private func frequency(_ samples: [Float], at seconds: Double) -> Double {
        let crossings = samples.indices.dropFirst().compactMap { index -> Double? in
            let (low, high) = (Double(samples[index - 1]), Double(samples[index]))
            return low < 0 && high >= 0 ? Double(index - 1) + low / (low - high) : nil
        }
        let next = crossings.firstIndex { $0 > seconds * 48_000 }!
        return 48_000 / (crossings[next] - (next > 0 ? crossings[next - 1] : 0))
    }

    @Test func `808 II's kick is long, and falls from 69 to 51 Hz`() {
        let kick = hit(.kick, "808 II", seconds: 0.9)
        // A cycle takes about 20 ms.
        let levels = (0..<40).map { kick[$0 * 960..<($0 + 1) * 960].peak }
        let end = levels.firstIndex { $0 < 0.1 * levels[0] }!
        #expect((17...19).contains(end), "\(20 * end) ms")
        #expect((62...69).contains(frequency(kick, at: 0.016)))
        #expect(abs(frequency(kick, at: 0.3) - 51) < 1)
    }

    @Test func `909 II's kick clicks, then falls fast, then slowly`() {
        let kick = hit(.kick, "909 II", seconds: 0.5)
        let click = highPassed(kick, 2000)
        #expect(decibels(click[..<240].peak / kick.peak) > -20)
        #expect(decibels(click[1000...].peak / kick.peak) < -40)
        let (first, second, third) = (frequency(kick, at: 0.004), frequency(kick, at: 0.025), frequency(kick, at: 0.07))
        #expect(first > 140, "\(first) Hz")
        #expect((60...110).contains(second), "\(second) Hz")
        #expect((47...62).contains(third) && abs(frequency(kick, at: 0.2) - 49) < 1.5, "\(third) Hz")
    }
}
