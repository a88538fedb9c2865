import Foundation

extension [Float] {
    /// The highest level between the samples too: four times oversampled (ITU-R BS.1770-4, annex 2) by a windowed sinc of 48
    /// samples, where samples are within 6 dB of the highest.
    public var truePeak: Double {
        let highest = Double(peak)
        let reach = 24
        return indices.dropLast().reduce(highest) { sofar, index in
            guard Swift.max(abs(self[index]), abs(self[index + 1])) > Float(0.5 * highest) else { return sofar }
            return [0.25, 0.5, 0.75].reduce(sofar) { sofar, fraction in
                var sum = 0.0
                for tap in Swift.max(0, index - reach + 1)...Swift.min(count - 1, index + reach) {
                    let distance = Double(tap - index) - fraction
                    let window = 0.5 + 0.5 * cos(.pi * distance / Double(reach))
                    sum += Double(self[tap]) * sin(.pi * distance) / (.pi * distance) * window
                }
                return Swift.max(sofar, abs(sum))
            }
        }
    }
}
