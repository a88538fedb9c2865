import Foundation

/// A single sine measured in a stretch of audio whose loudness does not change.
public struct Tone: Sendable {
    /// Hz.
    public private(set) var frequency: Double
    private let samples: ArraySlice<Float>
    private let sampleRate: Double

    /// Measures the tone nearest to a frequency (Hz), which must be off by less than `sampleRate / samples.count`.
    ///
    /// The frequency comes from how the phase moves between two halves of the stretch, each under a window that
    /// suppresses other partials; done twice, the second time around the first result.
    public init(in samples: ArraySlice<Float>, near guess: Double, sampleRate: Double) {
        self.samples = samples
        self.sampleRate = sampleRate
        frequency = guess
        let half = samples.count / 2
        for _ in 0..<2 {
            let first = Phasor(of: samples.prefix(half), at: frequency / sampleRate)
            let second = Phasor(of: samples.dropFirst(half).prefix(half), at: frequency / sampleRate)
            let expected = frequency / sampleRate * Double(half)
            let turns = second.turns - first.turns - expected
            frequency += (turns - turns.rounded()) / Double(half) * sampleRate
        }
    }

    /// The remainder without the tone and the mean, as a root mean square relative to the tone's: THD+N for a sine.
    ///
    /// Least squares for a cosine, a sine and a constant.
    public var residual: Double {
        var system = [[Double]](repeating: [0, 0, 0, 0], count: 3)
        var power = 0.0
        for (index, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * frequency / sampleRate * Double(index)
            let (c, s, x) = (cos(angle), sin(angle), Double(sample))
            system[0][0] += c * c
            system[0][1] += c * s
            system[0][2] += c
            system[0][3] += c * x
            system[1][1] += s * s
            system[1][2] += s
            system[1][3] += s * x
            system[2][3] += x
            power += x * x
        }
        system[1][0] = system[0][1]
        system[2][0] = system[0][2]
        system[2][1] = system[1][2]
        system[2][2] = Double(samples.count)
        let fit = solve(system)
        // The residual of least squares is the power less that of the fit.
        let rest = power - fit[0] * system[0][3] - fit[1] * system[1][3] - fit[2] * system[2][3]
        let tone = hypot(fit[0], fit[1]) / 2.0.squareRoot()
        return (max(0, rest) / Double(samples.count)).squareRoot() / tone
    }
}

/// Gaussian elimination for a small, well-conditioned system; each row ends with its right-hand side.
private func solve(_ system: [[Double]]) -> [Double] {
    var rows = system
    for pivot in rows.indices {
        for row in rows.indices where row != pivot {
            let factor = rows[row][pivot] / rows[pivot][pivot]
            for column in rows[row].indices { rows[row][column] -= factor * rows[pivot][column] }
        }
    }
    return rows.indices.map { rows[$0][rows.count] / rows[$0][$0] }
}

/// One partial's amplitude and phase under a Blackman-Harris window.
public struct Phasor: Sendable {
    private var real = 0.0
    private var imaginary = 0.0

    /// Measures at a frequency in turns per sample; the phase is that of the first sample.
    public init(of samples: ArraySlice<Float>, at frequency: Double) {
        var sum = 0.0
        for (index, sample) in samples.enumerated() {
            let weight = blackmanHarris(Double(index) / Double(samples.count))
            let angle = 2 * Double.pi * (frequency * Double(index)).truncatingRemainder(dividingBy: 1)
            real += weight * Double(sample) * cos(angle)
            imaginary -= weight * Double(sample) * sin(angle)
            sum += weight
        }
        real *= 2 / sum
        imaginary *= 2 / sum
    }

    /// Peak amplitude.
    public var amplitude: Double { hypot(real, imaginary) }
    /// Phase in turns.
    public var turns: Double { atan2(imaginary, real) / (2 * Double.pi) }
}

/// The four-term Blackman-Harris window (sidelobes at -92 dB) for 0 ... 1.
func blackmanHarris(_ place: Double) -> Double {
    let angle = 2 * Double.pi * place
    return 0.35875 - 0.48829 * cos(angle) + 0.14128 * cos(2 * angle) - 0.01168 * cos(3 * angle)
}
