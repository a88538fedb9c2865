import Foundation
import TestSupport
import Testing

@testable import Engine

/// The reverb's impulse response.
@Suite struct ReverbTests {
    @Test(arguments: [(0.7, 48_000.0), (1.8, 48_000), (0.7, 44_100), (1.8, 96_000)])
    func `it decays in the requested time, high frequencies in 0.39 of it`(
        time: Double, sampleRate: Double
    ) {
        let response = ReverbResponse(time: time, seconds: 0.8 * time, sampleRate: sampleRate)
        let low = response.decay(around: 500)
        // In a single band chance makes up to 5 %, even in exact arithmetic: few of the reverb's modes are in each.
        let bands = stride(from: 5700.0, through: 6300, by: 100)
        let high = bands.reduce(0) { $0 + response.decay(around: $1) } / 7
        #expect(abs(low / time - 1) < 0.05, "\(low) s at 500 Hz")
        #expect(abs(high / (0.39 * time) - 1) < 0.05, "\(high) s at 6 kHz")
    }

    @Test func `left and right are different, and soon dense`() {
        let response = ReverbResponse(time: 1.8, seconds: 1)
        let product = zip(response.left, response.right).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        let power = response.left.rms * response.right.rms * Double(response.left.count)
        #expect(abs(product / power) < 0.1)
        #expect(abs(decibels(response.left.rms / response.right.rms)) < 1)
        for side in [response.left, response.right] {
            #expect(ReverbResponse.density(side, at: 0.14, sampleRate: 48_000) > 0.9)
        }
    }

    @Test func `no frequency rings on`() {
        let samples = ReverbResponse(time: 1.8, seconds: 0.6).left
        let spectrum = Spectrum(samples[20_000..<20_000 + 8192], sampleRate: 48_000)
        for low in stride(from: 100.0, to: 10_000, by: 300) {
            let first = Int(low / spectrum.resolution)
            let band = spectrum.amplitudes[first..<first + Int(300 / spectrum.resolution)].sorted()
            #expect(decibels(band.last! / band[band.count / 2]) < 15, "\(low) Hz")
        }
    }

    @Test func `any periods give the same bits, and the end is silence`() {
        let whole = ReverbResponse(time: 0.3, seconds: 0.9)
        let pieces = ReverbResponse(time: 0.3, seconds: 0.9, periods: [1, 64, 17, 300])
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
