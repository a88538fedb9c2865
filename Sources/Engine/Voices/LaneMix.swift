/// Where a track's voices are added up lane by lane, to be summed across the lanes only once.
@safe
struct LaneMix: ~Copyable {
    /// Frames at a time; few enough to stay in the first-level cache.
    static func blockLength(of count: Int) -> Int { min(count, 128) }

    private let lanes: UnsafeMutablePointer<Lanes>

    init() {
        unsafe lanes = .allocate(capacity: LaneMix.blockLength(of: .max))
        unsafe lanes.initialize(repeating: .zero, count: LaneMix.blockLength(of: .max))
    }

    deinit { unsafe lanes.deallocate() }

    /// Where groups add their voices for the next block, silent before the first.
    func start(count: Int) -> UnsafeMutablePointer<Lanes> {
        unsafe lanes.update(repeating: .zero, count: count)
        return unsafe lanes
    }

    /// Writes the sum of the block's voices.
    func finish(_ output: UnsafeMutablePointer<Float>, count: Int) {
        for frame in 0..<count { unsafe output[frame] = lanes[frame].total }
    }
}
