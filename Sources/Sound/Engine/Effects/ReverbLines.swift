/// One number for each line of the reverb.
typealias ReverbLanes = SIMD8<Float>

/// The eight lines of the reverb, and the matrix through which they feed each other.
struct ReverbLines: ~Copyable {
    /// The lines' lengths in seconds.
    static func seconds(_ line: Int) -> Double {
        switch line {
        case 0: 0.0317
        case 1: 0.0371
        case 2: 0.0413
        case 3: 0.0467
        case 4: 0.0521
        case 5: 0.0593
        case 6: 0.0677
        default: 0.0739
        }
    }

    /// How far the ends of the first four lines move back and forth, in seconds.
    static var wander: Double { 0.00035 }

    private var lines: FixedArray<DelayLine>
    private let delays: SIMD8<Int32>
    /// The low-passes' outputs.
    private var damped = ReverbLanes.zero
    /// The phases of the wandering ends.
    private var phases = LaneBits.zero
    private let increments: LaneBits
    private let wanderFrames: Float

    init(sampleRate: Double) {
        var delays = SIMD8<Int32>.zero
        for line in 0..<8 { delays[line] = Int32(frames(ReverbLines.seconds(line), sampleRate: sampleRate)) }
        self.delays = delays
        wanderFrames = Float(ReverbLines.wander * sampleRate)
        let reach = Int(wanderFrames) + 4
        lines = FixedArray(count: 8) { DelayLine(longest: Int(delays[$0]) + reach) }
        var increments = LaneBits.zero
        for line in 0..<4 {
            increments[line] = phaseIncrement(0.6 + 0.1 * Double(line), sampleRate: sampleRate)
        }
        self.increments = increments
    }

    /// Forgets everything.
    mutating func reset() {
        for line in 0..<8 { lines[line].reset() }
        damped = .zero
        phases = .zero
    }

    /// The next frames, left and right: even lines and odd ones, counted from 1.
    @inline(__always)
    mutating func next(_ input: Lanes, _ damping: inout ReverbDamping, count: Int) -> (Lanes, Lanes) {
        // Rows are lines; transposed, they are frames, because a low-pass needs the frame before.
        var (low, high) = (wanderingEnds(count: count).transposed, fixedEnds.transposed)
        damp(&low.a, &high.a, &damping)
        if count > 1 { damp(&low.b, &high.b, &damping) }
        if count > 2 { damp(&low.c, &high.c, &damping) }
        if count > 3 { damp(&low.d, &high.d, &damping) }
        (low, high) = (low.transposed, high.transposed)
        feed(low, high, 0.354 * input, count: count)
        return (0.354 * ((low.b + high.b) + (low.d + high.d)), 0.354 * ((low.a + high.a) + (low.c + high.c)))
    }

    /// Filters a frame of the lines' ends.
    @inline(__always)
    private mutating func damp(_ low: inout Lanes, _ high: inout Lanes, _ damping: inout ReverbDamping) {
        damped = damping.filter(ReverbLanes(lowHalf: low, highHalf: high), damped)
        (low, high) = (damped.lowHalf, damped.highHalf)
    }

    /// Hadamard's matrix over the root of 8 feeds every line to every other, without gaining or losing energy.
    @inline(__always)
    private mutating func feed(_ low: LaneSquare, _ high: LaneSquare, _ input: Lanes, count: Int) {
        let (sums, differences) = ((low + high).mixed, (low - high).mixed)
        write(0, sums.a * 0.353_553_39 + input, count: count)
        write(1, sums.b * 0.353_553_39 + input, count: count)
        write(2, sums.c * 0.353_553_39 - input, count: count)
        write(3, sums.d * 0.353_553_39 - input, count: count)
        write(4, differences.a * 0.353_553_39 + input, count: count)
        write(5, differences.b * 0.353_553_39 + input, count: count)
        write(6, differences.c * 0.353_553_39 - input, count: count)
        write(7, differences.d * 0.353_553_39 - input, count: count)
    }

    @inline(__always)
    private mutating func write(_ line: Int, _ samples: Lanes, count: Int) {
        lines[line].write(samples, count: count)
    }

    /// The output of the first four lines.
    @inline(__always)
    private mutating func wanderingEnds(count: Int) -> LaneSquare {
        let first = phases &+ increments
        let second = first &+ increments
        let third = second &+ increments
        let fourth = third &+ increments
        phases = count == laneCount ? fourth : phases &+ increments &* UInt32(truncatingIfNeeded: count)
        let ways = LaneSquare(way(first), way(second), way(third), way(fourth)).transposed
        return LaneSquare(
            wandering(0, by: ways.a), wandering(1, by: ways.b), wandering(2, by: ways.c), wandering(3, by: ways.d))
    }

    /// How far the ends have wandered, in frames: triangles.
    @inline(__always)
    private func way(_ phases: LaneBits) -> Lanes { Lanes(bipolar: phases).magnitude * wanderFrames }

    /// The output of the other four lines.
    private var fixedEnds: LaneSquare {
        @inline(__always)
        get {
            LaneSquare(
                read(4, Int(delays[4])), read(5, Int(delays[5])), read(6, Int(delays[6])), read(7, Int(delays[7])))
        }
    }

    @inline(__always)
    private func read(_ line: Int, _ delay: Int) -> Lanes { lines[line].read(delay) }

    /// The output at a line's end, which is between two frames.
    @inline(__always)
    private func wandering(_ line: Int, by ways: Lanes) -> Lanes {
        let whole = Int(ways.x)
        let way = ways - Float(whole)
        if all((way .>= 0) .& (way .< 1)) { return between(line, whole, way) }
        // The end passes a frame.
        var ends = Lanes.zero
        for lane in 0..<laneCount {
            let whole = Int(ways[lane])
            ends[lane] = between(line, whole, ways - Float(whole))[lane]
        }
        return ends
    }

    /// Lagrange's polynomial through four frames, which leaves high frequencies alone.
    @inline(__always)
    private func between(_ line: Int, _ whole: Int, _ f: Lanes) -> Lanes {
        let delay = Int(delays[line]) + whole
        let (before, after, next) = (f + 1, f - 1, f - 2)
        let outer = f * after * (1.0 / 6)
        let inner = before * next * 0.5
        let two = read(line, delay) * (inner * after) - read(line, delay - 1) * (outer * next)
        let three = two - read(line, delay + 1) * (inner * f)
        return three + read(line, delay + 2) * (outer * before)
    }
}
