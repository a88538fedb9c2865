import Foundation

extension Collection<Float> {
    /// The energy (full scale squared times seconds) in bands in Hz. Without a window, so that every moment counts the
    /// same: for sounds that begin and end.
    public func energies(in bands: [ClosedRange<Double>], sampleRate: Double) -> [Double] {
        var size = 1024
        while size < count { size *= 2 }
        var real = map { Double($0) } + [Double](repeating: 0, count: size - count)
        var imaginary = [Double](repeating: 0, count: size)
        transform(&real, &imaginary)
        let resolution = sampleRate / Double(size)
        return bands.map { band in
            // A bin counts by its share that lies in the band.
            let (low, high) = (band.lowerBound / resolution, Swift.min(band.upperBound / resolution, Double(size) / 2))
            return (Int(low)...Swift.max(Int(low), Int(high) + 1)).reduce(0) { sum, bin in
                let share = Swift.min(high, Double(bin) + 0.5) - Swift.max(low, Double(bin) - 0.5)
                guard share > 0 else { return sum }
                let power = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
                return sum + 2 * share * power / (sampleRate * Double(size))
            }
        }
    }
}
