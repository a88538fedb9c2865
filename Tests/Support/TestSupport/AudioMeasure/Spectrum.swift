import Foundation

/// Amplitudes by frequency, under a Blackman-Harris window.
public struct Spectrum: Sendable {
    /// Peak amplitude of a steady sine in each bin's middle, from 0 Hz to half the sample rate.
    public let amplitudes: [Double]
    /// Hz from one bin to the next.
    public let resolution: Double

    /// Half the width of a sine's main lobe, in bins.
    private static let mainLobe = 5.0

    /// Analyses the samples, a power of two in number.
    public init(_ samples: ArraySlice<Float>, sampleRate: Double) {
        let count = samples.count
        precondition(count.nonzeroBitCount == 1, "a power of two samples")
        var real = [Double](repeating: 0, count: count)
        var imaginary = real
        var sum = 0.0
        for (index, sample) in samples.enumerated() {
            let weight = blackmanHarris(Double(index) / Double(count))
            real[index] = weight * Double(sample)
            sum += weight
        }
        transform(&real, &imaginary)
        amplitudes = (0...count / 2).map { 2 * hypot(real[$0], imaginary[$0]) / sum }
        resolution = sampleRate / Double(count)
    }

    /// The highest amplitude within a band in Hz.
    public func peak(in band: ClosedRange<Double>) -> Double {
        bins(band).map { amplitudes[$0] }.max() ?? 0
    }

    /// The root mean square of what lies within a band in Hz, up to a factor that is the same for all bands.
    public func level(in band: ClosedRange<Double>) -> Double {
        bins(band).reduce(0) { $0 + amplitudes[$1] * amplitudes[$1] }.squareRoot()
    }

    /// The frequency in Hz of the strongest bin within a band.
    public func strongest(in band: ClosedRange<Double>) -> Double {
        Double(bins(band).max { amplitudes[$0] < amplitudes[$1] } ?? 0) * resolution
    }

    /// The strongest component, from 0 Hz on, that is not a harmonic of a fundamental (Hz), relative to the
    /// fundamental. Components closer to a harmonic than the window resolves are missed.
    public func strongestInharmonic(of fundamental: Double) -> Double {
        let reference = peak(in: fundamental - 2 * resolution...fundamental + 2 * resolution)
        var strongest = 0.0
        for (bin, amplitude) in amplitudes.enumerated() where amplitude > strongest {
            let frequency = Double(bin) * resolution
            let nearest = (frequency / fundamental).rounded() * fundamental
            if abs(frequency - nearest) > Spectrum.mainLobe * resolution { strongest = amplitude }
        }
        return strongest / reference
    }

    private func bins(_ band: ClosedRange<Double>) -> Range<Int> {
        let first = max(0, Int((band.lowerBound / resolution).rounded(.up)))
        let last = min(amplitudes.count - 1, Int((band.upperBound / resolution).rounded(.down)))
        return first..<max(first, last + 1)
    }
}

/// The discrete Fourier transform in place: radix 2, decimation in time (Cooley and Tukey 1965).
func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    let count = real.count
    let cosines = (0..<count / 2).map { cos(2 * Double.pi * Double($0) / Double(count)) }
    let sines = (0..<count / 2).map { -sin(2 * Double.pi * Double($0) / Double(count)) }
    real.withUnsafeMutableBufferPointer { real in
        imaginary.withUnsafeMutableBufferPointer { imaginary in
            reverseBits(real)
            reverseBits(imaginary)
            var half = 1
            while half < count {
                let stride = count / (2 * half)
                var start = 0
                while start < count {
                    for offset in 0..<half {
                        let (low, high) = (start + offset, start + offset + half)
                        let (c, s) = (cosines[offset * stride], sines[offset * stride])
                        let r = real[high] * c - imaginary[high] * s
                        let i = real[high] * s + imaginary[high] * c
                        real[high] = real[low] - r
                        imaginary[high] = imaginary[low] - i
                        real[low] += r
                        imaginary[low] += i
                    }
                    start += 2 * half
                }
                half *= 2
            }
        }
    }
}

private func reverseBits(_ values: UnsafeMutableBufferPointer<Double>) {
    var target = 0
    for index in 1..<values.count {
        var bit = values.count / 2
        while target & bit != 0 {
            target ^= bit
            bit /= 2
        }
        target |= bit
        if index < target { values.swapAt(index, target) }
    }
}
