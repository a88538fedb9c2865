/// One number for each line of the reverb.
typealias ReverbLanes = SIMD8<Float>

/// The eight lines of the reverb, and the matrix through which they feed each other.
@safe
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

    /// How far the ends of the first four lines move to and fro, in seconds.
    static var wander: Double { 0.00035 }

    /// All lines side by side: eight numbers a frame.
    private let memory: UnsafeMutablePointer<ReverbLanes>
    /// A power of two less one.
    private let mask: Int
    /// Frames since the reset.
    private var written = 0
    private let delays: SIMD8<Int32>
    private let longest: Int
    /// The low-passes' outputs.
    private var damped = ReverbLanes.zero
    /// Where the wandering ends are on their way.
    private var phases = LaneBits.zero
    private let increments: LaneBits
    private let wanderFrames: Float

    init(sampleRate: Double) {
        var delays = SIMD8<Int32>.zero
        for line in 0..<8 { delays[line] = Int32(frames(ReverbLines.seconds(line), sampleRate: sampleRate)) }
        self.delays = delays
        wanderFrames = Float(ReverbLines.wander * sampleRate)
        longest = Int(delays.max()) + Int(wanderFrames) + 4
        var capacity = 1
        while capacity < longest { capacity *= 2 }
        mask = capacity - 1
        var increments = LaneBits.zero
        for line in 0..<4 {
            increments[line] = phaseIncrement(0.6 + 0.1 * Double(line), sampleRate: sampleRate)
        }
        self.increments = increments
        unsafe memory = .allocate(capacity: capacity)
        unsafe memory.initialize(repeating: .zero, count: capacity)
    }

    deinit { unsafe memory.deallocate() }

    /// Forgets everything.
    mutating func reset() {
        written = 0
        damped = .zero
        phases = .zero
    }

    /// The next frame, left and right: even lines and odd ones.
    @inline(__always)
    mutating func next(_ input: Float, _ damping: inout ReverbDamping) -> (Float, Float) {
        damped = damping.filter(ends(), damped)
        let fed = ReverbLines.mixed(damped) + (0.354 * input) * ReverbLanes(1, 1, -1, -1, 1, 1, -1, -1)
        unsafe memory[written & mask] = fed
        written += 1
        return (0.354 * damped.oddHalf.total, 0.354 * damped.evenHalf.total)
    }

    /// The output of the lines.
    @inline(__always)
    private mutating func ends() -> ReverbLanes {
        phases &+= increments
        // A triangle, 0 to 1 and back.
        let way = Lanes(bipolar: phases).magnitude * wanderFrames
        var ends = ReverbLanes.zero
        for line in 0..<4 { ends[line] = wandering(line, by: way[line]) }
        for line in 4..<8 { ends[line] = read(line, Int(delays[line])) }
        return ends
    }

    @inline(__always)
    private func read(_ line: Int, _ delay: Int) -> Float {
        guard delay <= written else { return 0 }
        let frame = unsafe UnsafeRawPointer(memory + ((written - delay) & mask))
        return unsafe frame.load(fromByteOffset: 4 * line, as: Float.self)
    }

    /// A line's end between two frames: Lagrange's polynomial through four, which leaves high frequencies alone.
    @inline(__always)
    private func wandering(_ line: Int, by way: Float) -> Float {
        let whole = Int(way)
        let (f, delay) = (way - Float(whole), Int(delays[line]) + whole)
        let (before, after, next) = (f + 1, f - 1, f - 2)
        let outer = f * after * (1.0 / 6)
        let inner = before * next * 0.5
        return read(line, delay - 1) * (-outer * next) + read(line, delay) * (inner * after)
            + read(line, delay + 1) * (-inner * f) + read(line, delay + 2) * (outer * before)
    }

    /// Hadamard's matrix over the root of 8: every line to every other, and no energy won or lost.
    @inline(__always)
    private static func mixed(_ lines: ReverbLanes) -> ReverbLanes {
        let (a, b) = (lines.lowHalf + lines.highHalf, lines.lowHalf - lines.highHalf)
        return ReverbLanes(lowHalf: mixed(a), highHalf: mixed(b)) * 0.353_553_39
    }

    @inline(__always)
    private static func mixed(_ lines: Lanes) -> Lanes {
        let (a, b) = (lines.lowHalf + lines.highHalf, lines.lowHalf - lines.highHalf)
        return Lanes(a.x + a.y, a.x - a.y, b.x + b.y, b.x - b.y)
    }
}
