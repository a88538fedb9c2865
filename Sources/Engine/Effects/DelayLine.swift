/// A delay line. After a reset it is silent at once, without clearing its memory.
@safe
struct DelayLine: ~Copyable {
    private let memory: UnsafeMutablePointer<Float>
    private let capacity: Int
    /// Where the next sample goes.
    private var position = 0
    /// Samples written since the reset, no more than there is room for.
    private var filled = 0

    /// A silent line.
    ///
    /// - Parameter longest: The longest delay in frames, at least 1.
    init(longest: Int) {
        capacity = longest
        // Written to now, so that the pages are there when the callback needs them.
        unsafe memory = .allocate(capacity: longest)
        unsafe memory.initialize(repeating: 0, count: longest)
    }

    deinit { unsafe memory.deallocate() }

    /// The sample of so many frames ago, 1 to the longest delay; the next one written is of now.
    @inline(__always)
    func read(_ delay: Int) -> Float {
        guard delay <= filled else { return 0 }
        let index = position - delay
        return unsafe memory[index < 0 ? index + capacity : index]
    }

    /// Writes the sample of now.
    @inline(__always)
    mutating func write(_ sample: Float) {
        unsafe memory[position] = sample
        position = position + 1 == capacity ? 0 : position + 1
        filled = min(filled + 1, capacity)
    }

    /// Forgets everything.
    mutating func reset() {
        (position, filled) = (0, 0)
    }
}
