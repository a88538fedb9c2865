import Foundation

/// An amplitude in dB relative to 1.
public func decibels(_ amplitude: Double) -> Double {
    20 * log10(max(abs(amplitude), 1e-15))
}

/// The interval between two frequencies in cents.
public func cents(_ frequency: Double, above reference: Double) -> Double {
    1200 * log2(frequency / reference)
}

extension Collection<Float> {
    /// The highest absolute sample.
    public var peak: Double { inMemory { Double($0.reduce(0) { Swift.max($0, abs($1)) }) } }

    /// The square root of the mean square.
    public var rms: Double {
        inMemory { $0.isEmpty ? 0 : ($0.reduce(0.0) { $0 + Double($1) * Double($1) } / Double($0.count)).squareRoot() }
    }

    /// The mean: the part at 0 Hz.
    public var mean: Double {
        inMemory { $0.isEmpty ? 0 : $0.reduce(0.0) { $0 + Double($1) } / Double($0.count) }
    }

    /// The biggest difference between one sample and the next.
    public var steepestStep: Double {
        inMemory { Double(zip($0, $0.dropFirst()).reduce(0) { Swift.max($0, abs($1.1 - $1.0)) }) }
    }

    /// Measures the samples in place: in tests, which are not optimised, each access through this collection would cost
    /// several calls.
    private func inMemory(_ measure: (UnsafeBufferPointer<Float>) -> Double) -> Double {
        withContiguousStorageIfAvailable(measure) ?? Array(self).withUnsafeBufferPointer(measure)
    }
}

extension [Float] {
    /// The index of the first sample that is not 0.
    public var onset: Int? { firstIndex { $0 != 0 } }

    /// The index after the last sample that is not 0.
    public var end: Int? { lastIndex { $0 != 0 }.map { $0 + 1 } }
}
