import TestSupport
import Testing

@testable import Engine

/// A delay line against an array that keeps everything.
@Suite struct DelayLineTests {
    @Test(arguments: 1...40)
    func `it reads what was written that many frames ago, and silence from before a reset`(longest: Int) {
        var random = SeededGenerator(seed: UInt64(longest))
        var line = DelayLine(longest: longest)
        var written: [Float] = []
        for _ in 0..<300 {
            if Int.random(in: 0..<40, using: &random) == 0 {
                line.reset()
                written = []
            }
            let delay = Int.random(in: 1...longest, using: &random)
            let samples = line.read(delay)
            // Samples that are not written yet are undefined.
            for lane in 0..<min(delay, laneCount) {
                let place = written.count - delay + lane
                #expect(samples[lane] == (place < 0 ? 0 : written[place]))
            }
            let count = Int.random(in: 1...laneCount, using: &random)
            var fed = Lanes.zero
            for lane in 0..<laneCount { fed[lane] = Float.random(in: -1...1, using: &random) }
            line.write(fed, count: count)
            written += (0..<count).map { fed[$0] }
        }
    }
}
