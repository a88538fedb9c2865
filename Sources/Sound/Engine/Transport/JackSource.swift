/// JACK's transport as a source of time: the position and tempo of its timebase master, checked for plausibility.
///
/// Masters omit bar and beat for a cycle after a relocation, do not advance them, or publish impossible values.
struct JackSource: BitwiseCopyable {
    /// A master's position and tempo.
    private struct Reading: BitwiseCopyable {
        var position: Double
        var slack: Double
        var bpm: Double
    }

    /// For how many seconds, and at least one more cycle, a master may publish nothing plausible before it counts as gone.
    private static var patience: Double { 0.1 }

    private let sampleRate: Double
    /// Whether a master publishes a plausible bar, beat and tempo.
    private(set) var hasMaster = false
    /// Whether the master has just stopped publishing.
    private(set) var lostItsMaster = false
    /// The master's last reading, and the transport's frame for it.
    private var reading = Reading(position: 0, slack: 0, bpm: 120)
    private var readingFrame: Int64 = 0
    /// The transport's frame since which the master's position has not advanced.
    private var changeFrame: Int64 = 0
    private var isStuck = false
    /// Whether the transport is where the master's last reading says: it has not jumped since. After a master has left in
    /// mid-music, the song continues from there.
    private var isOnCourse = false
    /// Frames rendered since the last plausible reading.
    private var silentFrames = 0
    /// The transport's next frame if it does not jump; see ``extend(_:)``.
    private var nextFrame: Int64 = 0
    /// The transport's frame that we have asked for, until it has relocated. It may be where the transport is.
    private var requestedFrame: Int64?
    /// The server's next frame if no cycles are missed.
    private var nextServerFrame: Int64 = 0
    /// Whether the transport rolled in the last cycle; nil before the first one, which may find it anywhere.
    private var wasRolling: Bool?
    private var timebase = Timebase()
    /// Our own readings as timebase master.
    private var ourBars = OurBars()

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
    }

    /// The cycle with the transport's frame counted beyond 2^32, where JACK's 32-bit number begins again at 0. After a
    /// jump it is JACK's number.
    func extend(_ cycle: RtCycle) -> RtCycle {
        var cycle = cycle
        let advance = Int64(UInt32(truncatingIfNeeded: cycle.outside.frame - nextFrame))
        if isExpected(advance, in: cycle) { cycle.outside.frame = nextFrame + advance }
        return cycle
    }

    /// Whether a transport that is this many frames after ``nextFrame`` has not jumped: during missed cycles it kept
    /// rolling.
    private func isExpected(_ advance: Int64, in cycle: RtCycle) -> Bool {
        if let requestedFrame, cycle.outside.frame == requestedFrame { return false }
        return advance == 0 || advance == cycle.startFrame - nextServerFrame
    }

    /// Reads the master's bar and beat at the first of `frameCount` frames.
    mutating func readMaster(of outside: OutsidePosition, frameCount: Int) {
        lostItsMaster = false
        if outside.isOurs {
            hasMaster = false
            isOnCourse = false
            silentFrames = 0
        } else {
            readBar(of: outside, frameCount: frameCount)
        }
    }

    /// Reads the transport at a cycle's first frame, after ``readMaster(of:frameCount:)``.
    ///
    /// - Parameter bpm: Our own tempo, used without a master.
    mutating func course(of cycle: RtCycle, bpm: Double) -> Course {
        let outside = cycle.outside
        let isRelocated = !isExpected(outside.frame - nextFrame, in: cycle)
        if isRelocated { requestedFrame = nil }
        let isBeginning = outside.isRolling && wasRolling != nil && (wasRolling == false || isRelocated)
        wasRolling = outside.isRolling
        nextServerFrame = cycle.startFrame + Int64(cycle.frameCount)
        nextFrame = outside.frame + (outside.isRolling ? Int64(cycle.frameCount) : 0)
        timebase.update(frame: outside.frame, isRelocated: isRelocated, bpm: bpm, sampleRate: sampleRate)
        let mastersPosition = reading.position + Double(outside.frame - readingFrame) / stepFrames(reading.bpm)
        if isRelocated || lostItsMaster && !outside.isRolling { isOnCourse = false }
        if lostItsMaster && isOnCourse { timebase.count(from: mastersPosition) }
        guard hasMaster else {
            let goesOn = outside.isOurs || isOnCourse
            let position = goesOn ? timebase.position : Double(outside.frame) / timebase.stepFrames
            return Course(
                isRunning: outside.isRolling, position: position, bpm: bpm, isRelocated: isRelocated,
                isBeginning: isBeginning)
        }
        return Course(
            isRunning: outside.isRolling, position: mastersPosition, slack: reading.slack, bpm: reading.bpm,
            isRelocated: isRelocated, isBeginning: isBeginning)
    }

    /// Skips a cycle in which nothing can have changed.
    mutating func rest(through cycle: RtCycle) { nextServerFrame = cycle.startFrame + Int64(cycle.frameCount) }

    /// The frame of the transport at a song position.
    func frame(of position: Double, from course: Course, at outside: OutsidePosition) -> Int64 {
        let distance = (position - course.position) * stepFrames(course.bpm)
        let here = Double(UInt32(truncatingIfNeeded: outside.frame))
        let frame = hasMaster ? here + distance : position * timebase.stepFrames
        return Int64(max(0, min(frame, 4_294_967_295)) + 0.5)
    }

    /// Bar and beat at JACK's number of a frame by our own timebase, for JACK to publish.
    mutating func publishBar(at frame: Int64) -> BarPosition {
        let isNext = frame == Int64(UInt32(truncatingIfNeeded: nextFrame))
        let position = isNext ? timebase.position(at: nextFrame) : Double(frame) / timebase.stepFrames
        let bar = BarPosition(position: position, bpm: timebase.bpm)
        ourBars.add(bar)
        return bar
    }

    /// We ask for a relocation to JACK's number of a frame.
    mutating func expectRelocation(to frame: Int64) { requestedFrame = frame }

    /// Remembers bar and beat of a relocation that we request.
    mutating func remember(_ bar: BarPosition) { ourBars.add(bar) }

    /// Whether bar and beat are those that we published last.
    func hasPublished(_ bar: BarPosition) -> Bool { ourBars.contains(bar) }

    // MARK: The master

    private mutating func readBar(of outside: OutsidePosition, frameCount: Int) {
        guard let bar = outside.bar, !ourBars.contains(bar), let published = read(bar) else {
            silentFrames += frameCount
            guard Double(silentFrames) > max(JackSource.patience * sampleRate, Double(frameCount)) else { return }
            lostItsMaster = hasMaster
            hasMaster = false
            // Another master may publish the same from now on.
            if outside.bar == nil { ourBars = OurBars() }
            return
        }
        silentFrames = 0
        let hasChanged = published.position != reading.position
        if hasChanged { isStuck = false }
        if hasChanged || !outside.isRolling || outside.frame < changeFrame { changeFrame = outside.frame }
        reading = published
        readingFrame = outside.frame
        // A master whose position does not advance while frames pass is ignored until it does.
        let stood = Double(outside.frame - changeFrame - 2 * Int64(frameCount))
        if stood > 2 * published.slack * stepFrames(published.bpm) { isStuck = true }
        hasMaster = !isStuck
        isOnCourse = hasMaster
    }

    /// The song position and tempo of a bar and beat; nil if they are impossible.
    private func read(_ bar: BarPosition) -> Reading? {
        let stepsPerBeat = 16 / bar.beatType
        let bpm = bar.bpm * 4 / bar.beatType
        // Comparisons with NaN are false.
        guard bar.beatType >= 1 && bar.beatType <= 64 && bar.beatsPerBar >= 1 && bar.beatsPerBar <= 256,
            bpm >= 10 && bpm <= 1000 && bar.ticksPerBeat >= 1 && bar.ticksPerBeat <= 1e9,
            bar.bar > -1_000_000 && bar.bar < 1_000_000 && bar.beat >= 1 && Double(bar.beat - 1) < bar.beatsPerBar,
            bar.tick >= 0 && bar.tick <= bar.ticksPerBeat
        else { return nil }
        let offset = bar.frameOffset >= 0 && Double(bar.frameOffset) < sampleRate * 60 ? Double(bar.frameOffset) : 0
        let beats = bar.firstBeat + Double(bar.beat - 1) + bar.tick / bar.ticksPerBeat
        return Reading(
            position: beats * stepsPerBeat + offset / stepFrames(bpm),
            slack: bar.isExact ? 0 : stepsPerBeat / bar.ticksPerBeat, bpm: bpm)
    }

    private func stepFrames(_ bpm: Double) -> Double { sampleRate * 15 / bpm }
}

/// What we published as timebase master. JACK still reports it for some cycles after we release the timebase; we must
/// not follow it as if it were another master's.
private struct OurBars: BitwiseCopyable {
    // A relocation's bar is published in addition to the cycle's.
    private var newest: BarPosition?
    private var earlier: BarPosition?

    mutating func add(_ bar: BarPosition) { (earlier, newest) = (newest, bar) }

    func contains(_ bar: BarPosition) -> Bool { matches(newest, bar) || matches(earlier, bar) }

    /// JACK may leave out the fraction of a tick.
    private func matches(_ ours: BarPosition?, _ bar: BarPosition) -> Bool {
        guard let ours else { return false }
        return ours.bar == bar.bar && ours.beat == bar.beat && abs(ours.tick - bar.tick) < 1 && ours.bpm == bar.bpm
    }
}

/// Our own conversion of JACK's transport frames to steps: frame/F at the current tempo after a relocation, continued
/// from there through changes of tempo.
struct Timebase: BitwiseCopyable {
    private(set) var bpm = 120.0
    private(set) var stepFrames = 6000.0
    private var anchorFrame: Int64 = 0
    private var anchorPosition = 0.0
    private var frame: Int64 = 0

    /// The song position at the frame of the last update.
    var position: Double { position(at: frame) }

    /// The song position at a frame, if the transport does not jump before it.
    func position(at frame: Int64) -> Double {
        anchorPosition + Double(frame - anchorFrame) / stepFrames
    }

    /// Continues from this song position at the frame of the last update.
    mutating func count(from position: Double) { (anchorFrame, anchorPosition) = (frame, position) }

    /// Reads where the transport is now, and the tempo.
    mutating func update(frame: Int64, isRelocated: Bool, bpm: Double, sampleRate: Double) {
        self.frame = frame
        if isRelocated {
            (anchorFrame, anchorPosition) = (0, 0)
        } else if bpm != self.bpm {
            (anchorPosition, anchorFrame) = (position(at: frame), frame)
        }
        self.bpm = bpm
        stepFrames = sampleRate * 60 / bpm / 4
    }
}

extension BarPosition {
    /// The bar and beat of a song position in 4/4.
    init(position: Double, bpm: Double) {
        let ticksPerBeat = 1920.0
        let beats = Int64(max(0, position) / 4)
        let tick = (max(0, position) / 4 - Double(beats)) * ticksPerBeat
        self.init(
            bar: Int32(truncatingIfNeeded: beats / 4 + 1), beat: Int32(truncatingIfNeeded: beats % 4 + 1), tick: tick,
            isExact: true, barStartTick: Double(beats / 4 * 4) * ticksPerBeat, ticksPerBeat: ticksPerBeat, bpm: bpm)
    }

    /// The beats before this bar. By the ticks before it where they are plausible, which is 1 to 256 beats for each bar: by the
    /// number of bars a change of metre would move the song. Comparisons with NaN are false.
    fileprivate var firstBeat: Double {
        let bars = Double(bar - 1)
        let beats = barStartTick / ticksPerBeat
        return bars > 0 && beats >= bars && beats <= bars * 256 ? beats : bars * beatsPerBar
    }
}
