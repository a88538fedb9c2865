import TestSupport
import Testing

@testable import Engine

/// The memory of the newest frames.
@Suite struct FrameMemoryTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `it holds what was written, and silence where nothing was`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let longest = [0, 100, 1000, 5000].randomElement(using: &random)!
        var memory = FrameMemory(longest: longest)
        /// What was written, by frame.
        var written: [Int64: Float] = [:]
        var end = Int64.random(in: 0...1000, using: &random)
        for _ in 0..<400 {
            if Int.random(in: 0..<50, using: &random) == 0 {
                memory.reset()
                written = [:]
            }
            // Short and long silences, among them those after which the ring is in the same place.
            let gaps = [0, 0, 0, 0, 1, 3, 200, 256, 300, 3000, 6144, 100_000]
            let start = end + Int64(gaps.randomElement(using: &random)!)
            let samples = (0..<Int.random(in: 1...128, using: &random)).map { _ in
                Float.random(in: 1...2, using: &random)
            }
            memory.write(samples, from: start, count: samples.count)
            for (index, sample) in samples.enumerated() { written[start + Int64(index)] = sample }
            end = start + Int64(samples.count)
            let count = Int.random(in: 1...300, using: &random)
            let first = end - .random(in: -50...Int64(longest), using: &random)
            var read = [Float](repeating: 9, count: count + 1)
            memory.read(&read, from: first, count: count)
            let expected = (0..<count).map { written[first + Int64($0)] ?? 0 }
            #expect(Array(read.dropLast()) == expected)
            #expect(read.last == 9)
        }
    }

    @Test func `frames before the first one are silent`() {
        var memory = FrameMemory(longest: 1000)
        memory.write([1, 2, 3], from: 0, count: 3)
        var read = [Float](repeating: 9, count: 6)
        memory.read(&read, from: -2, count: 6)
        #expect(read == [0, 0, 1, 2, 3, 0])
    }
}
