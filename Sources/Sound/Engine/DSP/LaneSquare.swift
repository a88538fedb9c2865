/// Four rows of four numbers, such as four frames each of four lines.
struct LaneSquare: BitwiseCopyable {
    var a, b, c, d: Lanes

    @inline(__always)
    init(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) {
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    /// The columns as rows.
    var transposed: LaneSquare {
        @inline(__always)
        get {
            LaneSquare(
                Lanes(a.x, b.x, c.x, d.x), Lanes(a.y, b.y, c.y, d.y), Lanes(a.z, b.z, c.z, d.z),
                Lanes(a.w, b.w, c.w, d.w))
        }
    }

    /// The product with Hadamard's matrix: each row is the sum of all rows, with its own signs.
    var mixed: LaneSquare {
        @inline(__always)
        get {
            let (sums, differences) = ((a + c, b + d), (a - c, b - d))
            return LaneSquare(
                sums.0 + sums.1, sums.0 - sums.1, differences.0 + differences.1, differences.0 - differences.1)
        }
    }

    @inline(__always)
    static func + (left: LaneSquare, right: LaneSquare) -> LaneSquare {
        LaneSquare(left.a + right.a, left.b + right.b, left.c + right.c, left.d + right.d)
    }

    @inline(__always)
    static func - (left: LaneSquare, right: LaneSquare) -> LaneSquare {
        LaneSquare(left.a - right.a, left.b - right.b, left.c - right.c, left.d - right.d)
    }
}
