import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// The reverb's impulse response.
@Suite struct ReverbTests {
    private struct Response {
        var left: [Float]
        var right: [Float]

        init(time: Double, seconds: Double, sampleRate: Double = 48_000, periods: [Int] = [512]) {
            let count = Int(seconds * sampleRate)
            var reverb = Reverb(sampleRate: sampleRate)
            reverb.move(to: time, frames: 0)
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
    }

    /// Seconds in which a band falls by 60 dB: Schroeder's backward integral from -5 to -30 dB.
    private func decay(_ response: Response, around frequency: Double, sampleRate: Double) -> Double {
        let filter = BiquadCoefficients(
            .bandPass, frequency: frequency, q: frequency < 1000 ? 4 : 6, sampleRate: sampleRate)
        // Twice, because lower frequencies decay so much later.
        let (left, right) = (
            filtered(filtered(response.left, filter), filter), filtered(filtered(response.right, filter), filter)
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

    private func filtered(_ samples: [some BinaryFloatingPoint], _ filter: BiquadCoefficients) -> [Double] {
        var (state1, state2) = (0.0, 0.0)
        return samples.map { input in
            let output = Double(filter.b0) * Double(input) + state1
            state1 = Double(filter.b1) * Double(input) + state2 - Double(filter.a1) * output
            state2 = Double(filter.b2) * Double(input) - Double(filter.a2) * output
            return output
        }
    }

    @Test(arguments: [(0.7, 48_000.0), (1.8, 48_000), (0.7, 44_100), (1.8, 96_000)])
    func `it decays in the requested time, high frequencies in 0.39 of it`(
        time: Double, sampleRate: Double
    ) {
        let response = Response(time: time, seconds: 0.8 * time, sampleRate: sampleRate)
        let low = decay(response, around: 500, sampleRate: sampleRate)
        // In a single band chance makes up to 5 %, even in exact arithmetic: few of the reverb's modes are in each.
        let bands = stride(from: 5700.0, through: 6300, by: 100)
        let high = bands.reduce(0) { $0 + decay(response, around: $1, sampleRate: sampleRate) } / 7
        #expect(abs(low / time - 1) < 0.05, "\(low) s at 500 Hz")
        #expect(abs(high / (0.39 * time) - 1) < 0.05, "\(high) s at 6 kHz")
    }

    @Test func `left and right are different, and soon dense`() {
        let response = Response(time: 1.8, seconds: 1)
        let product = zip(response.left, response.right).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        let power = response.left.rms * response.right.rms * Double(response.left.count)
        #expect(abs(product / power) < 0.1)
        #expect(abs(decibels(response.left.rms / response.right.rms)) < 1)
        for samples in [response.left, response.right] {
            // How many samples lie beyond the standard deviation, compared with noise (Abel and Huang, AES 2006).
            let window = samples[6240..<7200]
            let beyond = window.count { abs(Double($0)) > window.rms }
            #expect(Double(beyond) / Double(window.count) / 0.3173 > 0.9)
        }
    }

    @Test func `no frequency rings on`() {
        let samples = Response(time: 1.8, seconds: 0.6).left
        let spectrum = Spectrum(samples[20_000..<20_000 + 8192], sampleRate: 48_000)
        for low in stride(from: 100.0, to: 10_000, by: 300) {
            let first = Int(low / spectrum.resolution)
            let band = spectrum.amplitudes[first..<first + Int(300 / spectrum.resolution)].sorted()
            #expect(decibels(band.last! / band[band.count / 2]) < 15, "\(low) Hz")
        }
    }

    @Test func `any periods give the same bits, and the end is silence`() {
        let whole = Response(time: 0.3, seconds: 0.9)
        let pieces = Response(time: 0.3, seconds: 0.9, periods: [1, 64, 17, 300])
        let areTheSame = whole.left == pieces.left && whole.right == pieces.right
        #expect(areTheSame)
        let end = whole.left.end!
        #expect(end < 40_000 && abs(whole.left[end - 1]) < 1e-4)
    }

    @Test func `a reset finishes a change of the decay time`() {
        func responseAfterReset(changing frames: Int) -> [Float] {
            var reverb = Reverb(sampleRate: 48_000)
            let count = 4800
            let input = [Float](repeating: 0.1, count: count)
            var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
            for turn in 0..<2 {
                if turn == 1 {
                    reverb.move(to: 0.3, frames: frames)
                    reverb.reset()
                    left = [Float](repeating: 0, count: count)
                }
                input.withUnsafeBufferPointer { input in
                    left.withUnsafeMutableBufferPointer { left in
                        right.withUnsafeMutableBufferPointer { right in
                            reverb.render(
                                input.baseAddress!, left.baseAddress!, right.baseAddress!, count: count)
                        }
                    }
                }
            }
            return left
        }
        let isTheSame = responseAfterReset(changing: 48_000) == responseAfterReset(changing: 0)
        #expect(isTheSame)
    }

    @Test func `a change of the decay time makes no step`() {
        var reverb = Reverb(sampleRate: 48_000)
        let count = 9600
        let input = (0..<count).map { Float(0.3 * sin(Double($0) * 2 * .pi * 300 / 48_000)) }
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        reverb.move(to: 8, frames: 0)
        for start in stride(from: 0, to: count, by: 480) {
            if start == 4800 { reverb.move(to: 0.3, frames: 192) }
            input.withUnsafeBufferPointer { input in
                left.withUnsafeMutableBufferPointer { left in
                    right.withUnsafeMutableBufferPointer { right in
                        reverb.render(
                            input.baseAddress! + start, left.baseAddress! + start, right.baseAddress! + start,
                            count: 480)
                    }
                }
            }
        }
        #expect(left[4700..<5300].steepestStep < left[4000..<4700].steepestStep + 0.002)
    }
}
