// Four voices are computed at once, one in each lane of a vector: along time a voice depends on its own past, across
// voices nothing depends on anything. Periods of any length then give the same bits. Four lanes fill one register of every
// 64-bit machine; eight were tried, and took longer: they spill, and groups are rarely full.

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
    /// The bits become the mantissa of a number from 2 to 4, which takes no conversion. The sign bit flipped first makes
    /// pattern 0 the middle.
    @_transparent
    init(bipolar bits: LaneBits) {
        self = Lanes(bits: ((bits ^ 0x8000_0000) &>> 9) | 0x4000_0000) - 3
    }

    /// The lanes' bits.
    var bits: LaneBits {
        @_transparent get { unsafe unsafeBitCast(self, to: LaneBits.self) }
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

    /// Lane by lane the higher number.
    @_transparent
    func atLeast(_ other: Lanes) -> Lanes {
        replacing(with: other, where: self .< other)
    }
}
