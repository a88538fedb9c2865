// Four voices are computed at once, one in each lane of a vector: a voice's frames depend on each other, but voices are
// independent. The results then do not depend on the period. Four lanes fill one register of every 64-bit machine;
// eight were slower: registers spill, and groups are rarely full.

/// One number for each of four voices, or for four frames in the mixer.
typealias Lanes = SIMD4<Float>
/// Raw bits for each of four voices: phases and noise states.
typealias LaneBits = SIMD4<UInt32>

/// How many lanes a vector has.
var laneCount: Int {
    4
}

extension SIMD4<Float> {
    /// The vector whose lanes have the given bits.
    @_transparent
    init(bits: LaneBits) {
        self = unsafe unsafeBitCast(bits, to: Lanes.self)
    }

    /// Maps all 2^32 bit patterns in order onto -1 ..< 1, seen as signed integers, with 22 bits' precision.
    ///
    /// The bits become the mantissa of a number from 2 to 4, which needs no conversion. Flipping the sign bit first
    /// puts pattern 0 in the middle.
    @_transparent
    init(bipolar bits: LaneBits) {
        self = Lanes(bits: ((bits ^ 0x8000_0000) &>> 9) | 0x4000_0000) - 3
    }

    var bits: LaneBits {
        @_transparent get { unsafe unsafeBitCast(self, to: LaneBits.self) }
    }

    /// Up to four numbers from memory that need not be aligned, and 0 in the remaining lanes.
    @_transparent
    init(_ memory: UnsafePointer<Float>, count: Int) {
        if count >= laneCount {
            self = unsafe UnsafeRawPointer(memory).loadUnaligned(as: Lanes.self)
        } else {
            self = .zero
            for lane in 0..<count { self[lane] = unsafe memory[lane] }
        }
    }

    /// Stores up to four lanes in memory that need not be aligned.
    @_transparent
    func store(in memory: UnsafeMutablePointer<Float>, count: Int) {
        if count >= laneCount {
            unsafe UnsafeMutableRawPointer(memory).storeBytes(of: self, as: Lanes.self)
        } else {
            for lane in 0..<count { unsafe memory[lane] = self[lane] }
        }
    }

    /// The lanes without their signs.
    var magnitude: Lanes {
        @_transparent get { Lanes(bits: bits & 0x7fff_ffff) }
    }

    /// The sum of the lanes, always in the same order.
    var total: Float {
        @_transparent
        get {
            let two = lowHalf + highHalf
            return two.x + two.y
        }
    }

    /// The higher number in each lane.
    @_transparent
    func atLeast(_ other: Lanes) -> Lanes {
        replacing(with: other, where: self .< other)
    }
}

/// The lanes of a group that are played in one of several ways.
struct LaneOwners: BitwiseCopyable {
    /// One bit for each lane.
    private(set) var bits: UInt8 = 0
    /// All bits of a lane, or none.
    private var mask = LaneBits.zero

    mutating func insert(_ lane: Int) {
        bits |= 1 << UInt8(truncatingIfNeeded: lane)
        mask[lane] = .max
    }

    mutating func remove(_ lane: Int) {
        bits &= ~(1 << UInt8(truncatingIfNeeded: lane))
        mask[lane] = 0
    }

    /// Removes the lanes that are not among these, one bit for each.
    mutating func keep(only lanes: UInt8) {
        let dead = bits & ~lanes
        guard dead != 0 else { return }
        for lane in 0..<laneCount where dead & (1 << UInt8(truncatingIfNeeded: lane)) != 0 { remove(lane) }
    }

    @_transparent
    func contains(_ lane: Int) -> Bool { bits & (1 << UInt8(truncatingIfNeeded: lane)) != 0 }

    /// The values in these lanes, 0 in all others.
    @_transparent
    func only(_ lanes: Lanes) -> Lanes { Lanes(bits: lanes.bits & mask) }

    /// The values in these lanes, `others` in the rest.
    @_transparent
    func only(_ lanes: Lanes, else others: Lanes) -> Lanes {
        Lanes(bits: others.bits ^ ((lanes.bits ^ others.bits) & mask))
    }
}

/// Four numbers that approach their ends exponentially, each at its own speed.
struct LaneSlide: BitwiseCopyable {
    private var distances = Lanes.zero
    private var factors = Lanes.zero
    private var ends = Lanes.zero

    /// Starts a lane's number.
    ///
    /// - Parameters:
    ///   - frames: Frames until 0.001 of the way is left; 0 to jump.
    mutating func start(_ start: Double, to end: Double, frames: Double, lane: Int) {
        let moves = frames > 0 && start != end
        distances[lane] = moves ? Float(start - end) : 0
        factors[lane] = moves ? Float(factorPerFrame(logRatio: logSixtyDecibelsDown, frames: frames)) : 0
        // Never 0: next to 0 even the tiny distances that ``settle()`` drops would matter, and when it drops them
        // depends on the period.
        ends[lane] = end == 0 ? 1e-9 : Float(end)
    }

    /// Starts a lane's number on its way to 0, multiplied by a factor each frame.
    mutating func start(_ start: Double, factor: Double, lane: Int) {
        distances[lane] = Float(start)
        factors[lane] = Float(factor)
        ends[lane] = 0
    }

    /// Leaves a lane's number where it is going.
    mutating func stop(_ lane: Int) { distances[lane] = 0 }

    /// The numbers of the next frame.
    @_transparent
    mutating func next() -> Lanes {
        defer { distances *= factors }
        return present
    }

    /// The numbers of the next frame, without advancing.
    var present: Lanes { ends + distances }

    /// Whether all have arrived.
    var isSettled: Bool { distances == .zero }

    /// Rounds tiny distances to zero before they become denormal, which is slow.
    mutating func settle() {
        distances.replace(with: 0, where: distances.magnitude .< 1e-20)
    }
}
