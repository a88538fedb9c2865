import Testing

@testable import Engine

/// When an effect rests and wakes.
@Suite struct RestingEffectTests {
    /// Passes its input on, and counts.
    private struct CountingEffect: ~Copyable, RestingEffect {
        var quiet = Quiet(after: 1000)
        var framesAtOnce: Int { laneCount }
        var resetCount = 0
        var frameCount = 0

        mutating func reset() { resetCount += 1 }

        mutating func next(_ samples: Lanes, count: Int) -> (Lanes, Lanes) {
            frameCount += count
            return (samples, samples)
        }
    }

    private func counts(_ input: [Float], periods: [Int]) -> [Int] {
        var effect = CountingEffect()
        var (left, right) = (input, input)
        var (done, turn) = (0, 0)
        while done < input.count {
            let count = min(periods[turn % periods.count], input.count - done)
            input.withUnsafeBufferPointer { input in
                left.withUnsafeMutableBufferPointer { left in
                    right.withUnsafeMutableBufferPointer { right in
                        effect.render(
                            input.baseAddress! + done, left.baseAddress! + done, right.baseAddress! + done,
                            count: count)
                    }
                }
            }
            (done, turn) = (done + count, turn + 1)
        }
        return [effect.resetCount, effect.frameCount]
    }

    @Test(arguments: [[10_000], [64], [1, 17, 300]])
    func `an input below -96 dBFS wakes an effect once, not on every frame`(periods: [Int]) {
        func expect(_ input: [Float], _ expected: [Int], line: Int = #line) {
            let counts = counts(input, periods: periods)
            #expect(counts == expected, "line \(line)")
        }
        for level in [1e-30, 1e-6, 1.4e-5] as [Float] {
            // It rests after a thousand frames, and wakes again at once.
            expect(.init(repeating: level, count: 10_000), [10, 10_000])
            expect([level] + .init(repeating: 0, count: 9999), [1, 1000])
        }
        expect(.init(repeating: 0.5, count: 10_000), [1, 10_000])
        expect(.init(repeating: 0, count: 10_000), [0, 0])
    }
}
