/// How far the tracks are ducked under the kick, frame by frame: from 0 to 1, the full depth of each.
struct Ducker: ~Copyable {
    /// The amounts of the current stretch.
    private let amounts = FixedArray<Float>(count: Stretch.longest) { _ in 0 }
    /// Frames since the newest kick.
    private var age = Int.max
    /// The amount when the newest kick came.
    private var start: Float = 0
    /// The release in frames.
    private var comingBack = 1
    private let sampleRate: Double
    private let falling: Int
    private let held: Int

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        falling = frames(Fade.seconds, sampleRate: sampleRate)
        held = frames(0.02, sampleRate: sampleRate)
    }

    /// Whether the tracks are back after the newest kick.
    var isResting: Bool { age >= end }

    /// The age at which the tracks are back.
    private var end: Int { falling + held + comingBack }

    /// Forgets the newest kick.
    mutating func beginAnew() { (age, start) = (.max, 0) }

    /// Starts to duck for a kick at the next frame.
    ///
    /// - Parameter stepSeconds: How long a sixteenth lasts now.
    mutating func kick(stepSeconds: Double) {
        start = amount
        age = 0
        comingBack = frames(min(max(3 * stepSeconds, 0.12), 0.35), sampleRate: sampleRate)
    }

    /// Advances through a stretch, unless it rests.
    ///
    /// - Parameter isWanted: Whether any track makes way for the kick.
    /// - Returns: The amounts, valid until the next call; nil if no track is ducked.
    mutating func render(_ count: Int, isWanted: Bool) -> UnsafePointer<Float>? {
        guard isWanted else {
            age = min(age + count, end)
            return nil
        }
        for frame in 0..<count {
            if !isResting { age += 1 }
            unsafe amounts.elements[frame] = amount
        }
        return unsafe UnsafePointer(amounts.elements)
    }

    private var amount: Float {
        if age <= falling { return start + (1 - start) * Float(age) / Float(falling) }
        if age <= falling + held { return 1 }
        if isResting { return 0 }
        let way = Float(age - falling - held) / Float(comingBack)
        return 1 - way * way * (3 - 2 * way)
    }
}

extension Ducker {
    struct Memory: BitwiseCopyable {
        var age: Int
        var start: Float
        var comingBack: Int
    }

    var memory: Memory { Memory(age: age, start: start, comingBack: comingBack) }

    mutating func restore(_ memory: Memory) {
        (age, start, comingBack) = (memory.age, memory.start, memory.comingBack)
    }
}
