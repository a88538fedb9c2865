import Foundation

extension Collection<Float> {
    /// The mean under a Hann window, which passes only what is slower than the collection's length.
    public var windowedMean: Double {
        let turn = 2 * .pi / Double(count)
        var (sum, index) = (0.0, 0.0)
        for sample in self {
            sum += Double(sample) * (1 - cos(turn * index))
            index += 1
        }
        return sum / Double(count)
    }
}
