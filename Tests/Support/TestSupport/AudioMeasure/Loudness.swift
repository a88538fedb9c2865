import Foundation

/// Perceived loudness, K-weighted as in ITU-R BS.1770.
public enum Loudness {
    /// The mean square in LUFS of one channel.
    public static func level(_ samples: ArraySlice<Float>, sampleRate: Double) -> Double {
        -0.691 + 10 * log10(energy(samples, sampleRate: sampleRate) / (Double(samples.count) / sampleRate))
    }

    /// The sum of squares in seconds, in dB on the same scale: for sounds that die away.
    public static func energyLevel(_ samples: ArraySlice<Float>, sampleRate: Double) -> Double {
        -0.691 + 10 * log10(energy(samples, sampleRate: sampleRate))
    }

    /// The loudness of a whole programme in LUFS: blocks of 0.4 s every 0.1 s, of which those above -70 LUFS count, and of these
    /// those no more than 10 LU below their mean (ITU-R BS.1770-4).
    public static func integrated(_ channels: [Float]..., sampleRate: Double) -> Double {
        let energies = channels.map { Loudness.energies($0[...], sampleRate: sampleRate, block: 0.1) }
        let tenths = energies[0].indices.map { index in energies.reduce(0) { $0 + $1[index] } }
        let blocks = tenths.indices.dropLast(3).map { tenths[$0..<$0 + 4].reduce(0, +) / 4 }
        func level(_ energy: Double) -> Double { -0.691 + 10 * log10(energy) }
        func mean(_ blocks: [Double]) -> Double { blocks.reduce(0, +) / Double(max(1, blocks.count)) }
        let audible = blocks.filter { level($0) > -70 }
        let gate = level(mean(audible)) - 10
        return level(mean(audible.filter { level($0) > gate }))
    }

    /// The mean square of each block; `block` is its length in seconds.
    public static func energies(_ samples: ArraySlice<Float>, sampleRate: Double, block: Double) -> [Double] {
        var (shelf, highPass) = (Section.shelf(sampleRate: sampleRate), Section.highPass(sampleRate: sampleRate))
        let length = Int((block * sampleRate).rounded())
        var energies = [Double](repeating: 0, count: samples.count / length)
        for (index, sample) in samples.prefix(energies.count * length).enumerated() {
            let weighted = highPass.filter(shelf.filter(Double(sample)))
            energies[index / length] += weighted * weighted / Double(length)
        }
        return energies
    }

    /// In full scale squared times seconds.
    private static func energy(_ samples: ArraySlice<Float>, sampleRate: Double) -> Double {
        let seconds = Double(samples.count) / sampleRate
        return energies(samples, sampleRate: sampleRate, block: seconds).reduce(0, +) * seconds
    }
}

/// A biquad of the weighting, for any sample rate (the recommendation lists only the coefficients for 48 kHz, which
/// this yields).
private struct Section {
    let (b0, b1, b2, a1, a2): (Double, Double, Double, Double, Double)
    var state1 = 0.0
    var state2 = 0.0

    mutating func filter(_ input: Double) -> Double {
        let output = b0 * input + state1
        state1 = b1 * input - a1 * output + state2
        state2 = b2 * input - a2 * output
        return output
    }

    /// The head: +4 dB above 1.7 kHz.
    static func shelf(sampleRate: Double) -> Section {
        let k = tan(Double.pi * 1681.974450955533 / sampleRate)
        let (q, high) = (0.7071752369554196, pow(10, 3.999843853973347 / 20))
        let band = pow(high, 0.4996667741545416)
        let a0 = 1 + k / q + k * k
        return Section(
            b0: (high + band * k / q + k * k) / a0, b1: 2 * (k * k - high) / a0,
            b2: (high - band * k / q + k * k) / a0, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
    }

    /// Removes what is too low to be loud.
    static func highPass(sampleRate: Double) -> Section {
        let k = tan(Double.pi * 38.13547087602444 / sampleRate)
        let q = 0.5003270373238773
        let a0 = 1 + k / q + k * k
        return Section(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
    }
}
