/// The envelopes of four voices, and with them how long each voice lives: to the frame, whatever the periods.
struct LaneEnvelopes: ~Copyable {
    /// The values that the next frame starts from.
    var values = Lanes.zero
    /// What to multiply a value by each frame.
    private(set) var factors = Lanes.zero
    /// What to add to it then.
    private(set) var slopes = Lanes.zero
    /// One bit for each lane whose voice sounds.
    private(set) var live: UInt8 = 0

    private var shapes = InlineArray<4, EnvelopeShape>(repeating: EnvelopeShape())
    private var segments = InlineArray<4, Int>(repeating: 0)
    /// The frame after each lane's present segment.
    private var ends = InlineArray<4, Int64>(repeating: .max)
    private var nextEnd = Int64.max

    /// Whether a lane's voice sounds.
    @_noLocks @_noAllocation
    func isLive(_ lane: Int) -> Bool { live & (1 << UInt8(truncatingIfNeeded: lane)) != 0 }

    /// Frames from `frame` on, at most `count`, during which no segment ends.
    @_noLocks @_noAllocation
    func stretch(from frame: Int64, count: Int) -> Int {
        Int(min(Int64(count), nextEnd - frame))
    }

    /// Starts an envelope in a lane.
    @_noLocks @_noAllocation
    mutating func start(_ shape: EnvelopeShape, lane: Int, at frame: Int64) {
        shapes[lane] = shape
        live |= 1 << UInt8(truncatingIfNeeded: lane)
        enter(segment: 0, lane: lane, at: frame)
        findNextEnd()
    }

    /// Lets a lane's voice fall to silence in a straight line, unless it is silent in that time anyway.
    @_noLocks @_noAllocation
    mutating func fade(lane: Int, frames: Int, at frame: Int64) {
        let isInLastSegment = segments[lane] == shapes[lane].count - 1
        if isInLastSegment && ends[lane] - frame <= Int64(frames) { return }
        var shape = EnvelopeShape()
        shape.append(EnvelopeSegment(from: Double(values[lane]), to: 0, frames: frames))
        start(shape, lane: lane, at: frame)
    }

    /// Moves on the lanes whose segment ends with the given frame.
    @_noLocks @_noAllocation
    mutating func advance(to frame: Int64) {
        guard nextEnd <= frame else { return }
        for lane in 0..<4 where ends[lane] <= frame {
            enter(segment: segments[lane] + 1, lane: lane, at: frame)
        }
        findNextEnd()
    }

    /// Silences all lanes at once.
    mutating func reset() {
        for lane in 0..<4 { silence(lane) }
        nextEnd = .max
    }

    @_noLocks @_noAllocation
    private mutating func enter(segment index: Int, lane: Int, at frame: Int64) {
        guard index < shapes[lane].count else { return silence(lane) }
        let segment = shapes[lane][index]
        segments[lane] = index
        values[lane] = segment.start
        factors[lane] = segment.factor
        slopes[lane] = segment.slope
        ends[lane] = frame + Int64(segment.frames)
    }

    @_noLocks @_noAllocation
    private mutating func silence(_ lane: Int) {
        live &= ~(1 << UInt8(truncatingIfNeeded: lane))
        values[lane] = 0
        factors[lane] = 0
        slopes[lane] = 0
        ends[lane] = .max
    }

    @_noLocks @_noAllocation
    private mutating func findNextEnd() {
        nextEnd = .max
        for lane in 0..<4 { nextEnd = min(nextEnd, ends[lane]) }
    }
}
