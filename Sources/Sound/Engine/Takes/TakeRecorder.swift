import Instrument
import Music

/// Records takes in the process callback: for each cycle what differs from its prediction, as entries of a ring.
///
/// Between takes each silent cycle first copies the control memory. A take begins with the first cycle in which the
/// transport, a voice or a key starts, with that copy, and ends after it was stopped and silent for a while. It never waits: if
/// the ring is full, the take is not exact from there on.
@safe
struct TakeRecorder: ~Copyable {
    private let memory = FixedArray(count: 1) { _ in ControlMemory() }
    private var writer = TakeWriter(place: 0)
    /// Whether a take is being recorded.
    private(set) var isRecording = false
    /// What counted when the memory was copied for the cycle that comes; nil if it was not.
    private var armed: TakeNumbers?
    private var sampleRate = 48_000.0

    /// Whether the memory was copied, so that a take may begin with the next cycle.
    var isArmed: Bool { if case .some = armed { true } else { false } }

    /// The last cycle in the log, and how many of those before are not in it yet, with their frames.
    private var last = TakeCycle(before: 0)
    private var (run, runFrames) = (0, 0)
    private var numbers = TakeNumbers()
    /// The punch-ins that are in the log, and the number of the newest value that was compared with them.
    private var (punchIns, punchInsNumber) = (PunchIns(), UInt(0))
    /// The bars published since the last cycle.
    private var bars = PublishedBars()
    /// Whether the next cycle is the first since the engine was prepared, or of a take.
    private var isFirst = true

    /// Frames of the take, up to its last sound, and since it was stopped and silent.
    private var (frameCount, soundCount, stillCount) = (0, 0, 0)
    /// Whether the music ran, and whether the log says so.
    private var (hasPlay, saysPlay) = (false, false)
    private var exactFrameCount: Int?
    /// Frames that the log lacks now; nil if it has all.
    private var lostFrames: Int?

    /// Bytes that stay free for the end of a take.
    private static var reserve: Int { 64 }

    /// After how many seconds of rest a take ends, and after how many it ends in the next silence.
    private static var patience: Double { 30 }
    private static var longest: Double { 4 * 3600 }

    /// The memory to copy into.
    var slot: UnsafeMutablePointer<ControlMemory> { unsafe memory.elements }

    // MARK: Before a cycle

    /// Whether a take, if there is one, ends with the next silent cycle, though the music runs.
    func isOverdue(_ ring: borrowing TakeRing) -> Bool {
        exactFrameCount != nil || Double(frameCount) > TakeRecorder.longest * sampleRate || ring.isAbandoned
    }

    /// Notes that there was sound at the end of the last cycle.
    mutating func hear() { soundCount = frameCount }

    /// Notes whether the music is stopped and everything is silent at the end of the last cycle; ends the take if it is over.
    mutating func rest(isStill: Bool, isSilent: Bool, _ ring: borrowing TakeRing) {
        stillCount = isStill ? stillCount + last.frameCount : 0
        let isOver = Double(stillCount) >= TakeRecorder.patience * sampleRate
        if isOver || isSilent && isOverdue(ring) { end(ring) }
    }

    /// The control memory has been copied for the next cycle.
    ///
    /// - Parameter punchInsNumber: The number of the punch-ins that are in the memory.
    mutating func arm(_ numbers: TakeNumbers, punchInsNumber: UInt) {
        (armed, bars) = (numbers, PublishedBars())
        (punchIns, self.punchInsNumber) = (PunchIns(), punchInsNumber)
    }

    // MARK: After a cycle

    /// Records a cycle that was rendered.
    ///
    /// - Parameters:
    ///   - begins: Whether a take begins: the transport, a voice or a key has started.
    ///   - runs: Whether the transport runs.
    mutating func record(_ intake: Intake, begins: Bool, runs: Bool, _ ring: borrowing TakeRing) {
        defer { (armed, bars) = (nil, PublishedBars()) }
        if let armed, !isRecording {
            guard begins, begin(at: intake.cycle.startFrame, armed, ring) else { return }
        }
        guard isRecording else { return }
        let followsTime: Bool
        if case .some = intake.timeline.timeline { followsTime = true } else { followsTime = false }
        hasPlay = hasPlay || runs
        guard hasRoom(for: TakeWriter.most(intake), ring) else { return lose(intake.cycle) }
        goOn(before: intake.cycle, ring)
        if hasPlay, !saysPlay {
            endRun(ring)
            writer.write(TakeCode.played, ring)
            saysPlay = true
        }
        let isQuiet = unsafe intake.commands.count == 0 && intake.keys.count == 0 && intake.midi.count == 0
        let predicted = last.next(sampleRate: sampleRate)
        let cycle = TakeCycle(intake.cycle, predicted, followsTime: followsTime, bars: bars, isFirst: isFirst)
        let new = TakeNumbers(
            score: intake.score, timeline: intake.timelineNumber, kit: intake.samples.generation)
        let isHeldAsBefore = intake.punchInsNumber == punchInsNumber
        if !isQuiet || !isHeldAsBefore || !cycle.isPredicted(by: predicted) || !new.isSame(as: numbers) {
            endRun(ring)
            writer.write(new, after: numbers, ring)
            writer.write(cycle, predicted, ring)
            if !isHeldAsBefore { writer.write(intake.punchIns, after: punchIns, ring) }
            writer.writeEvents(of: intake, ring)
            numbers = new
            (punchIns, punchInsNumber) = (intake.punchIns, intake.punchInsNumber)
        }
        count(cycle, ring)
    }

    /// Records a cycle in which the engine rested.
    mutating func record(resting cycle: RtCycle, _ ring: borrowing TakeRing) {
        defer { (armed, bars) = (nil, PublishedBars()) }
        guard isRecording else { return }
        guard hasRoom(for: 512, ring) else { return lose(cycle) }
        goOn(before: cycle, ring)
        let predicted = last.next(sampleRate: sampleRate)
        let cycle = TakeCycle(cycle, predicted, followsTime: false, bars: bars, isFirst: isFirst)
        if !cycle.isPredicted(by: predicted) {
            endRun(ring)
            writer.write(cycle, predicted, ring)
        }
        count(cycle, ring)
    }

    /// Bar and beat were published for a frame.
    mutating func publishBar(at frame: Int64) { bars.add(frame) }

    /// Counts a cycle into the run.
    private mutating func count(_ new: TakeCycle, _ ring: borrowing TakeRing) {
        var cycle = new
        frameCount += min(cycle.missedFrames(after: last), Int(sampleRate)) + cycle.frameCount
        cycle.stepUsecs = cycle.startUsecs &- last.startUsecs
        (last, isFirst) = (cycle, false)
        run += 1
        runFrames += cycle.frameCount
        // A crash must not lose more than that.
        let isHurried = ring.isHurried
        if Double(runFrames) >= 0.5 * sampleRate || isHurried { endRun(ring) }
        ring.publish(to: writer.place)
        if isHurried { ring.catchUp() }
    }

    private mutating func endRun(_ ring: borrowing TakeRing) {
        if run > 0 { writer.write(cycles: run, ring) }
        (run, runFrames) = (0, 0)
    }

    // MARK: Takes

    private mutating func begin(at frame: Int64, _ numbers: TakeNumbers, _ ring: borrowing TakeRing) -> Bool {
        writer.place = ring.end
        guard ring.room(from: writer.place) >= ControlMemory.size + 1024 + TakeRecorder.reserve else {
            ring.missed.add(1)
            return false
        }
        unsafe writer.writeBeginning(of: slot, numbers, at: frame, sampleRate: sampleRate, ring)
        isRecording = true
        ring.setAbandoned(false)
        (last, run, runFrames, isFirst) = (TakeCycle(before: frame), 0, 0, true)
        self.numbers = numbers
        (frameCount, soundCount, stillCount) = (0, 0, 0)
        (hasPlay, saysPlay) = (false, false)
        (exactFrameCount, lostFrames) = (nil, nil)
        return true
    }

    /// Ends the take.
    mutating func end(_ ring: borrowing TakeRing) {
        guard isRecording else { return }
        endRun(ring)
        if let lostFrames { writeLoss(of: lostFrames, before: 0, ring) }
        writer.write(
            TakeEnding(frameCount: soundCount, hasPlay: hasPlay, exactFrameCount: exactFrameCount), ring)
        ring.publish(to: writer.place)
        isRecording = false
    }

    /// The engine is prepared for a rate: another one ends the take.
    mutating func prepare(sampleRate: Double, _ ring: borrowing TakeRing) {
        armed = nil
        bars = PublishedBars()
        defer { (self.sampleRate, isFirst) = (sampleRate, true) }
        guard isRecording else { return }
        guard sampleRate == self.sampleRate else { return end(ring) }
        guard hasRoom(for: 64, ring) else {
            exactFrameCount = exactFrameCount ?? frameCount
            return
        }
        endRun(ring)
        writer.write(TakeCode.prepared, ring)
        ring.publish(to: writer.place)
    }

    // MARK: Losses

    /// Whether an entry of this size can be written; while frames are lost, only once half of the ring is free.
    private func hasRoom(for count: Int, _ ring: borrowing TakeRing) -> Bool {
        let room = ring.room(from: writer.place) - TakeRecorder.reserve
        return room >= (lostFrames == nil ? count : max(count, ring.capacity / 2))
    }

    /// The log lacks a cycle.
    private mutating func lose(_ cycle: RtCycle) {
        exactFrameCount = exactFrameCount ?? frameCount
        lostFrames = (lostFrames ?? 0) + cycle.frameCount
        frameCount += cycle.frameCount
    }

    /// Goes on after a loss.
    private mutating func goOn(before cycle: RtCycle, _ ring: borrowing TakeRing) {
        guard let frames = lostFrames else { return }
        endRun(ring)
        writeLoss(of: frames, before: cycle.startFrame, ring)
        (last, isFirst, lostFrames) = (TakeCycle(before: cycle.startFrame), true, nil)
    }

    private mutating func writeLoss(of frames: Int, before frame: Int64, _ ring: borrowing TakeRing) {
        writer.write(TakeCode.lost, UInt64(frames), ring)
        writer.write(signed: frame, ring)
    }
}

extension TakeNumbers {
    /// Not `==`: in a build without optimisation that is a call that may lock.
    func isSame(as other: TakeNumbers) -> Bool {
        score == other.score && timeline == other.timeline && kit == other.kit
    }
}

extension TakeCycle {
    /// Whether a prediction says all of it.
    func isPredicted(by other: TakeCycle) -> Bool {
        frameCount == other.frameCount && startFrame == other.startFrame && startUsecs == other.startUsecs
            && connectionCount == other.connectionCount && playbackLatency == other.playbackLatency
            && midiOutLatency == other.midiOutLatency && clockOutLatency == other.clockOutLatency
            && countsGaps == other.countsGaps && bars.isSame(as: other.bars) && outside.isSame(as: other.outside)
    }
}

extension OutsidePosition {
    fileprivate func isSame(as other: OutsidePosition) -> Bool {
        guard isRolling == other.isRolling, frame == other.frame, isOurs == other.isOurs else { return false }
        guard let bar else {
            if case .some = other.bar { return false }
            return true
        }
        guard let others = other.bar else { return false }
        return bar.isSame(exceptTick: others) && bar.tick.bitPattern == others.tick.bitPattern
    }
}
