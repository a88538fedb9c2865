/// How far the tracks are ducked under the kick, frame by frame: from 0 to 1, the full depth of each.
struct Ducker: ~Copyable {
    /// The amounts of the current period.
    private let amounts = FixedArray<Float>(count: RtCycle.longest) { _ in 0 }
    /// Frames since the newest kick.
    private var age: Int
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
        age = .max
    }

    /// Whether the tracks are ducked anywhere in the current period.
    private(set) var isHeard = false

    private var isActive: Bool { age < end }

    /// The age at which the tracks are back.
    private var end: Int { falling + held + comingBack }

    /// Forgets the newest kick; what the period has so far is kept.
    mutating func beginAnew() { (age, start) = (.max, 0) }

    /// Begins a period.
    mutating func begin() {
        isHeard = isActive
    }

    /// Starts to duck for a kick at a frame of the period.
    ///
    /// - Parameter stepSeconds: How long a sixteenth lasts now.
    mutating func kick(offset: Int, stepSeconds: Double) {
        if !isHeard { unsafe amounts.elements.update(repeating: 0, count: offset) }
        isHeard = true
        start = amount
        age = 0
        comingBack = frames(min(max(3 * stepSeconds, 0.12), 0.35), sampleRate: sampleRate)
    }

    /// Advances through a part of the period.
    mutating func render(offset: Int, count: Int) {
        guard isHeard else { return }
        for frame in offset..<offset + count {
            if isActive { age += 1 }
            unsafe amounts.elements[frame] = amount
        }
    }

    /// Advances through a part of a period in which no track is ducked.
    mutating func skip(_ count: Int) {
        if isActive { age = min(age + count, end) }
    }

    /// Lowers a track's samples by the current period's amounts, scaled by its depth.
    func duck(_ samples: UnsafeMutablePointer<Float>, by depth: GainRamp, count: Int) {
        var offset = 0
        while offset < count {
            let depths = depth.values(offset: offset)
            for lane in 0..<min(laneCount, count - offset) {
                unsafe samples[offset + lane] *= 1 - amounts.elements[offset + lane] * depths[lane]
            }
            offset += laneCount
        }
    }

    private var amount: Float {
        if age <= falling { return start + (1 - start) * Float(age) / Float(falling) }
        if age <= falling + held { return 1 }
        guard isActive else { return 0 }
        let way = Float(age - falling - held) / Float(comingBack)
        return 1 - way * way * (3 - 2 * way)
    }
}
