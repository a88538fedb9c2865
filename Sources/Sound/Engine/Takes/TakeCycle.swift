/// A cycle as a take describes it: what influences the step, and not the times that only stamp notices.
///
/// A log holds how each cycle differs from the one that its predecessor lets expect. Recording and replay use the same
/// prediction.
package struct TakeCycle: BitwiseCopyable {
    package var frameCount = 0
    package var startFrame: Int64 = 0
    /// In µs; only kept up to date while there is a timeline, which follows it.
    package var startUsecs: Int64 = 0
    /// From the last cycle's start to this one's, as far as that is known.
    var stepUsecs: Int64 = 0
    package var outside = OutsidePosition()
    package var connectionCount: Int32 = 0
    package var playbackLatency = 0
    package var midiOutLatency = 0
    package var clockOutLatency = 0
    package var countsGaps = true
    /// The frames for which we published bar and beat since the last cycle: the newest two.
    var bars = PublishedBars()
    /// Whether no cycle since the engine was prepared came before it.
    package var isFirst = true

    /// Before the first cycle, which starts at a frame.
    package init(before frame: Int64) { startFrame = frame }

    /// The cycle that this one lets expect.
    package func next(sampleRate: Double) -> TakeCycle {
        var next = self
        next.startFrame &+= Int64(frameCount)
        next.startUsecs &+= stepUsecs
        next.outside = outside.later(by: frameCount)
        if let bar = outside.bar {
            next.outside.bar = outside.isRolling ? bar.later(by: frameCount, sampleRate: sampleRate) : bar
        }
        next.bars = bars.count == 1 ? PublishedBars(next.outside.frame) : PublishedBars()
        next.isFirst = false
        return next
    }

    /// Whether a driver may have given it.
    package var isPlausible: Bool {
        let frames = SIMD8<Int64>(
            startFrame, outside.frame, Int64(playbackLatency), Int64(midiOutLatency), Int64(clockOutLatency),
            bars.newest, bars.earlier, outside.bar?.frameOffset ?? 0)
        let limit = Int64(1) << 48
        guard frameCount > 0, startUsecs >= 0, startUsecs < 1 << 56 else { return false }
        return !any(frames .> limit) && !any(frames .< -limit)
    }

    /// Frames before this cycle that were lost and count as elapsed time, given the last one.
    package func missedFrames(after last: TakeCycle) -> Int {
        guard countsGaps, !isFirst else { return 0 }
        // jackd advances its count by the period of the cycle that begins (JackFrameTimer): a longer period is no gap.
        guard startFrame != last.startFrame + Int64(frameCount) else { return 0 }
        return Int(max(0, startFrame - last.startFrame - Int64(last.frameCount)))
    }
}

/// The frames of a few published bars; only the newest two matter.
struct PublishedBars: BitwiseCopyable {
    private(set) var count = 0
    private(set) var newest: Int64 = 0
    private(set) var earlier: Int64 = 0

    init() {}

    init(_ frame: Int64) { (count, newest) = (1, Int64(UInt32(truncatingIfNeeded: frame))) }

    mutating func add(_ frame: Int64) {
        count = min(count + 1, 2)
        (earlier, newest) = (newest, frame)
    }

    func isSame(as other: PublishedBars) -> Bool {
        count == other.count && (count == 0 || newest == other.newest) && (count < 2 || earlier == other.earlier)
    }
}

extension BarPosition {
    /// The place some frames later, as most masters would publish it.
    func later(by frames: Int, sampleRate: Double) -> BarPosition {
        // Comparisons with NaN are false.
        guard ticksPerBeat >= 1, ticksPerBeat <= 1e9, beatsPerBar >= 1, beatsPerBar <= 256, bpm > 0, bpm <= 1000,
            tick >= 0, tick <= ticksPerBeat, frames <= 8192
        else { return self }
        var later = self
        later.tick += Double(frames) * bpm * ticksPerBeat / (60 * sampleRate)
        while later.tick >= ticksPerBeat {
            later.tick -= ticksPerBeat
            later.beat &+= 1
            guard Double(later.beat) > beatsPerBar else { continue }
            later.beat = 1
            later.bar &+= 1
            later.barStartTick += beatsPerBar * ticksPerBeat
        }
        if !isExact { later.tick = Double(Int64(later.tick)) }
        return later
    }

    /// Whether only the tick differs.
    func isSame(exceptTick other: BarPosition) -> Bool {
        bar == other.bar && beat == other.beat && isExact == other.isExact && barStartTick == other.barStartTick
            && frameOffset == other.frameOffset && beatsPerBar == other.beatsPerBar && beatType == other.beatType
            && ticksPerBeat == other.ticksPerBeat && bpm == other.bpm
    }
}

extension TakeCycle {
    /// A cycle as the driver gave it.
    ///
    /// - Parameter predicted: Its times stay where nothing follows them.
    init(_ cycle: RtCycle, _ predicted: TakeCycle, followsTime: Bool, bars: PublishedBars, isFirst: Bool) {
        self = predicted
        frameCount = cycle.frameCount
        startFrame = cycle.startFrame
        if followsTime { startUsecs = Int64(bitPattern: cycle.startUsecs) }
        outside = cycle.outside
        // Nobody follows our own bar.
        if outside.isOurs { outside.bar = nil }
        connectionCount = cycle.connectionCount
        playbackLatency = cycle.playbackLatency
        midiOutLatency = cycle.midiOutLatency
        clockOutLatency = cycle.clockOutLatency
        countsGaps = cycle.countsGaps
        self.bars = bars
        self.isFirst = isFirst
    }
}
