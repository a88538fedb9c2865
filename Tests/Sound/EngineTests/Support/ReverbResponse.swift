import Foundation
import TestSupport

@testable import Engine

/// What the reverb makes of an impulse.
struct ReverbResponse {
    private(set) var left: [Float]
    private(set) var right: [Float]
    let sampleRate: Double

    init(
        time: Double, early: Double = 0, lowCut: Double = 0, seconds: Double, sampleRate: Double = 48_000,
        periods: [Int] = [512]
    ) {
        self.sampleRate = sampleRate
        let count = Int(seconds * sampleRate)
        var reverb = Reverb(sampleRate: sampleRate)
        reverb.move(to: time, early: early, lowCut: lowCut, frames: 0)
        var input = [Float](repeating: 0, count: count)
        input[0] = 1
        (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        var done = 0
        var turn = 0
        while done < count {
            let block = min(periods[turn % periods.count], count - done)
            input.withUnsafeBufferPointer { input in
                left.withUnsafeMutableBufferPointer { left in
                    right.withUnsafeMutableBufferPointer { right in
                        reverb.render(
                            input.baseAddress! + done, left.baseAddress! + done, right.baseAddress! + done,
                            count: block)
                    }
                }
            }
            done += block
            turn += 1
        }
    }

    /// The K-weighted energy of both sides in dB.
    var loudness: Double {
        let levels = [left, right].map { Loudness.energyLevel($0[...], sampleRate: sampleRate) }
        return 10 * log10(levels.reduce(0) { $0 + pow(10, $1 / 10) })
    }

    /// How many samples of a side lie beyond the standard deviation, compared with noise, in the 20 ms around a time
    /// in seconds (Abel and Huang, AES 2006).
    static func density(_ side: [Float], at seconds: Double, sampleRate: Double) -> Double {
        let middle = Int(seconds * sampleRate)
        let half = Int(0.01 * sampleRate)
        let window = side[middle - half..<middle + half]
        let deviation = window.rms
        return Double(window.count { abs(Double($0)) > deviation }) / Double(window.count) / 0.3173
    }

    /// Seconds in which a band falls by 60 dB: Schroeder's backward integral from -5 to -30 dB.
    func decay(around frequency: Double) -> Double {
        let filter = BiquadCoefficients(
            .bandPass, frequency: frequency, q: frequency < 1000 ? 4 : 6, sampleRate: sampleRate)
        // Twice, because lower frequencies decay so much later.
        let (left, right) = (
            Self.filtered(Self.filtered(left, filter), filter), Self.filtered(Self.filtered(right, filter), filter)
        )
        var energies = zip(left, right).map { $0 * $0 + $1 * $1 }
        for index in energies.indices.dropLast().reversed() { energies[index] += energies[index + 1] }
        let levels = energies.map { 10 * log10(max($0, 1e-30) / energies[0]) }
        let range = levels.firstIndex { $0 < -5 }!..<levels.firstIndex { $0 < -30 }!
        let middle = Double(range.lowerBound + range.upperBound) / 2
        let mean = range.reduce(0) { $0 + levels[$1] } / Double(range.count)
        let slope =
            range.reduce(0) { $0 + (Double($1) - middle) * (levels[$1] - mean) }
            / range.reduce(0) { $0 + pow(Double($1) - middle, 2) }
        return -60 / (slope * sampleRate)
    }

    private static func filtered(_ samples: [some BinaryFloatingPoint], _ filter: BiquadCoefficients) -> [Double] {
        var (state1, state2) = (0.0, 0.0)
        return samples.map { input in
            let output = Double(filter.b0) * Double(input) + state1
            state1 = Double(filter.b1) * Double(input) + state2 - Double(filter.a1) * output
            state2 = Double(filter.b2) * Double(input) - Double(filter.a2) * output
            return output
        }
    }
}
