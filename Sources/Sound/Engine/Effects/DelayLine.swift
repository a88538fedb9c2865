/// A delay line that reads and writes four samples at a time. A reset silences it at once, without clearing its memory.
@safe
struct DelayLine: ~Copyable {
    private let room: FixedArray<Float>
    /// A ring whose first and last samples are repeated beyond its ends, so that any four consecutive samples are contiguous.
    private let memory: UnsafeMutablePointer<Float>
    private let capacity: Int
    /// Where the next sample goes.
    private var position = 0
    /// Samples written since the reset, at most ``capacity``.
    private var filled = 0

    private static var margin: Int { laneCount }

    /// A silent line.
    ///
    /// - Parameter longest: The longest delay in frames, at least 1.
    init(longest: Int) {
        // A write stores four samples even if fewer count, and so may overwrite the three oldest.
        capacity = max(longest, laneCount) + laneCount
        // Written to now, so that the pages are in memory when the callback needs them.
        room = FixedArray(count: capacity + 3 * DelayLine.margin) { _ in 0 }
        unsafe memory = room.elements + DelayLine.margin
    }

    /// Four consecutive samples, the first of them from `delay` frames before the next one written, 1 to the longest
    /// delay. With a delay below 4, samples that are not written yet are undefined.
    @inline(__always)
    func read(_ delay: Int) -> Lanes {
        let lanes = unsafe Lanes(memory + index(delay), count: laneCount)
        guard delay > filled else { return lanes }
        let missing = Int32(truncatingIfNeeded: min(delay - filled, laneCount))
        return lanes.replacing(with: 0, where: SIMD4<Int32>(0, 1, 2, 3) .< missing)
    }

    /// Writes the first `count` of four samples, from the current frame on.
    @inline(__always)
    mutating func write(_ samples: Lanes, count: Int) {
        unsafe samples.store(in: memory + position, count: laneCount)
        if position < DelayLine.margin {
            unsafe samples.store(in: memory + (position + capacity), count: laneCount)
        } else if position > capacity - laneCount {
            unsafe samples.store(in: memory + (position - capacity), count: laneCount)
        }
        advance(count)
    }

    /// Forgets everything.
    mutating func reset() {
        (position, filled) = (0, 0)
    }

    @inline(__always)
    private func index(_ delay: Int) -> Int {
        let index = position - delay
        return index < 0 ? index + capacity : index
    }

    @inline(__always)
    private mutating func advance(_ count: Int) {
        let next = position + count
        position = next >= capacity ? next - capacity : next
        filled = min(filled + count, capacity)
    }
}
