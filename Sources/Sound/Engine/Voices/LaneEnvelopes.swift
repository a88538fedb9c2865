/// The envelopes of four voices, which also determine how long each voice lives: to the frame, whatever the period.
struct LaneEnvelopes: ~Copyable {
    /// The current values.
    var lanes = EnvelopeLanes()
    /// One bit for each lane whose voice sounds.
    private(set) var live: UInt8 = 0

    /// Where a lane is in its envelope.
    struct Progress: ~Copyable {
        var shape = EnvelopeShape()
        var segment = 0
        /// The frame after the current segment.
        var end = Int64.max
    }

    private var progress = FixedArray(count: laneCount) { _ in Progress() }
    private var nextEnd = Int64.max

    /// Whether a lane's voice sounds.
    func isLive(_ lane: Int) -> Bool { live & (1 << UInt8(truncatingIfNeeded: lane)) != 0 }

    /// The next frames of a block in which no segment ends, as offsets into it; nil when the block is done or all is
    /// silent. First advances the lanes whose segment has ended.
    ///
    /// - Parameters:
    ///   - done: How many frames of the block are done; advanced by this call.
    ///   - frame: The block's first frame.
    ///   - count: Frames in the block.
    mutating func nextStretch(_ done: inout Int, from frame: Int64, count: Int) -> Range<Int>? {
        advance(to: frame + Int64(done))
        guard done < count && live != 0 else { return nil }
        let start = done
        done += Int(min(Int64(count - done), nextEnd - frame - Int64(done)))
        return start..<done
    }

    mutating func start(_ shape: EnvelopeShape, lane: Int, at frame: Int64) {
        progress[lane].shape = shape
        live |= 1 << UInt8(truncatingIfNeeded: lane)
        enter(segment: 0, lane: lane, at: frame)
        findNextEnd()
    }

    /// Fades a lane's voice to silence in a straight line, unless it ends by then anyway.
    mutating func fade(lane: Int, frames: Int, at frame: Int64) {
        let isInLastSegment = progress[lane].segment == progress[lane].shape.count - 1
        if isInLastSegment && progress[lane].end - frame <= Int64(frames) { return }
        let segment = EnvelopeSegment(from: Double(lanes.values[lane]), to: 0, frames: frames)
        progress[lane].shape.become(segment)
        enter(segment: 0, lane: lane, at: frame)
        findNextEnd()
    }

    /// Releases a lane's voice: by 60 dB, and then to silence.
    mutating func release(lane: Int, frames: Int, tail: Int, at frame: Int64) {
        let level = Double(lanes.values[lane])
        progress[lane].shape.become(
            EnvelopeSegment(from: level, logRatio: logSixtyDecibelsDown, frames: frames))
        progress[lane].shape.append(EnvelopeSegment(from: 0.001 * level, to: 0, frames: tail))
        enter(segment: 0, lane: lane, at: frame)
        findNextEnd()
    }

    /// Advances the lanes whose segment ends at the given frame, or has ended in frames that were not rendered.
    private mutating func advance(to frame: Int64) {
        guard nextEnd <= frame else { return }
        for lane in 0..<laneCount where progress[lane].end <= frame {
            let shape = progress[lane].shape
            var index = progress[lane].segment + 1
            var late = Int(frame - progress[lane].end)
            // The last two segments are the release, which is heard in full, however late.
            let release = shape.count - 2
            while index < release && late >= Int(shape[index].frames) {
                late -= Int(shape[index].frames)
                index += 1
            }
            enter(segment: index, lane: lane, late: index < release ? late : 0, at: frame)
        }
        findNextEnd()
    }

    /// - Parameter late: How many of the segment's frames are already past.
    private mutating func enter(segment index: Int, lane: Int, late: Int = 0, at frame: Int64) {
        guard index < progress[lane].shape.count else { return silence(lane) }
        let segment = progress[lane].shape[index].dropping(late)
        progress[lane].segment = index
        lanes.values[lane] = segment.start
        lanes.factors[lane] = segment.factor
        lanes.slopes[lane] = segment.slope
        let isEndless = progress[lane].shape.isEndless(segment: index)
        progress[lane].end = isEndless ? .max : frame + Int64(segment.frames)
    }

    private mutating func silence(_ lane: Int) {
        live &= ~(1 << UInt8(truncatingIfNeeded: lane))
        lanes.values[lane] = 0
        lanes.factors[lane] = 0
        lanes.slopes[lane] = 0
        progress[lane].end = .max
    }

    mutating func silenceAll() {
        for lane in 0..<laneCount { silence(lane) }
        nextEnd = .max
    }

    private mutating func findNextEnd() {
        nextEnd = .max
        for lane in 0..<laneCount { nextEnd = min(nextEnd, progress[lane].end) }
    }
}

/// Four envelopes as they run between two ends of segments.
struct EnvelopeLanes: BitwiseCopyable {
    /// The values that the next frame starts from.
    var values = Lanes.zero
    /// What to multiply a value by each frame.
    fileprivate(set) var factors = Lanes.zero
    /// What to add to it after that.
    fileprivate(set) var slopes = Lanes.zero

    /// The same envelopes in some lanes, and silence in all others.
    func only(_ owners: LaneOwners) -> EnvelopeLanes {
        var lanes = self
        lanes.values = owners.only(values)
        lanes.slopes = owners.only(slopes)
        return lanes
    }

    /// Continues in some lanes from the values that other envelopes have reached.
    mutating func goOn(_ owners: LaneOwners, from lanes: EnvelopeLanes) {
        values = owners.only(lanes.values, else: values)
    }

    /// The values of the next frame.
    @_transparent
    mutating func next() -> Lanes {
        values = values * factors + slopes
        return values
    }
}
