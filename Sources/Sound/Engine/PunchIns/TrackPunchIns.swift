import Instrument
import Music

/// The punch-ins on a track, after gain and mute: STUTTER, FILTER and BRAKE in this order, and THROW, which raises the sends.
///
/// What the track played during the last two seconds is always remembered, as a finger repeats what was just heard. Nothing
/// else costs anything while no effect acts.
struct TrackPunchIns: ~Copyable {
    // The array comes first: after a number, Swift 6.3.1 with the thread sanitizer makes code that LLVM rejects.
    /// Of mid, and of side for drums.
    private let buses: FixedArray<PunchBus>
    private let times: PunchTimes
    private let scratch = PunchScratch()
    private let curve = FixedArray<Float>(count: Stretch.longest + laneCount) { _ in 0 }
    private var stutter: Stutter
    private var filter: PunchFilter
    private var brake: Brake
    private var thrown: Throw
    /// 0 while the track is muted.
    private var gate = GainRamp(1)
    /// Frames until no ramp moves.
    private var rampFrames = 0
    /// The newest frame that was not silent; nil when there is none.
    private var newestSound: Int64?

    /// - Parameter sampleRate: Nil for a track that is never played.
    init(busCount: Int, sampleRate: Double?) {
        times = PunchTimes(sampleRate: sampleRate ?? 0)
        let times = times
        buses = FixedArray(count: busCount) { _ in PunchBus(times) }
        (stutter, filter, brake, thrown) = (Stutter(times), PunchFilter(times), Brake(times), Throw(times))
    }

    var byteCount: Int {
        var sum = 0
        for bus in 0..<buses.count { sum += buses[bus].byteCount }
        return sum
    }

    /// Whether any of them changes the track's sound, and whether its sends.
    private(set) var (isOn, isThrowing) = (false, false)

    /// Whether they may add a side to a track without one.
    var hasSide: Bool { buses.count > 1 && (stutter.isOpen || brake.isOpen || filter.isOpen && filter.hasSide) }

    /// Whether nothing is left of them at a frame: without input, there is no output.
    func isResting(by frame: Int64) -> Bool {
        if stutter.isOpen || brake.isOpen { return false }
        return !filter.isOpen || filter.hasEnded(by: frame)
    }

    /// Whether a frame is so late that all remembered input is silence: they are as if they were new.
    func hasForgotten(by frame: Int64) -> Bool {
        guard let newestSound else { return true }
        return frame - newestSound > Int64(times.recentFrames)
    }

    /// Forgets all sound. Who holds what stays.
    mutating func reset() {
        for bus in 0..<buses.count { buses[bus].reset() }
        newestSound = nil
        filter.reset()
    }

    /// Forgets the remembered input, unless it is being repeated.
    mutating func forgetInput() {
        guard !stutter.isOpen else { return }
        for bus in 0..<buses.count { buses[bus].recent.reset() }
        newestSound = nil
    }

    // MARK: Control

    /// Follows what is held from a frame on.
    mutating func follow(_ board: PunchBoard, on track: Int, _ clock: StepClock, at frame: Int64) {
        rampFrames = max(rampFrames, times.glide)
        if let punchIn = board.held(.stutter, on: track) {
            stutter.hold(punchIn, clock, at: frame)
        } else {
            stutter.letGo()
        }
        if let punchIn = board.held(.filter, on: track) { filter.hold(punchIn) } else { filter.letGo() }
        if let punchIn = board.held(.brake, on: track) {
            brake.hold(punchIn, stepFrames: clock.timing.stepFrames, at: frame)
        } else {
            brake.letGo()
        }
        if let punchIn = board.held(.throw, on: track) { thrown.hold(punchIn) } else { thrown.letGo() }
        findOpen()
    }

    private mutating func findOpen() {
        isOn = stutter.isOpen || filter.isOpen || brake.isOpen
        isThrowing = thrown.isOpen
    }

    /// Silences what they play, or no longer.
    mutating func mute(_ isSilent: Bool, frames: Int) {
        rampFrames = max(rampFrames, frames)
        gate.move(to: isSilent ? 0 : 1, frames: frames)
    }

    /// Ends a change of ``mute(_:frames:)`` that is under way.
    mutating func arrive() { gate.arrive() }

    /// Advances by frames, rendered or not.
    mutating func advance(_ count: Int) {
        guard rampFrames > 0 else { return }
        rampFrames -= count
        stutter.advance(count)
        filter.advance(count)
        brake.advance(count)
        thrown.advance(count)
        gate.advance(count)
        findOpen()
    }

    // MARK: Sound

    /// Remembers a stretch of the track as it comes in.
    mutating func remember(_ stretch: Stretch) {
        unsafe buses[0].recent.write(stretch.mid, from: stretch.frame, count: stretch.count)
        var last = stretch.count - 1
        while last >= 0, unsafe stretch.mid[last] == 0 { last -= 1 }
        if last >= 0 { newestSound = stretch.frame + Int64(last) }
        guard let side = unsafe stretch.side else { return }
        unsafe buses[1].recent.write(side, from: stretch.frame, count: stretch.count)
    }

    /// Lets all effects that act change a stretch.
    mutating func render(_ stretch: Stretch) {
        if stutter.isOpen { stutter.render(stretch, buses, gate: gate, scratch) }
        if filter.isOpen { filter.render(stretch, gate: gate, scratch) }
        if brake.isOpen { brake.render(stretch, buses, gate: gate, scratch) }
    }

    /// The send to the reverb over a stretch; valid until the next call for a send.
    func reverb(_ send: GainLine, count: Int) -> GainLine { unsafe thrown.reverb(send, curve.elements, count: count) }

    /// The send to the delay over a stretch; valid until the next call for a send.
    func delay(_ send: GainLine, count: Int) -> GainLine { unsafe thrown.delay(send, curve.elements, count: count) }
}

extension TrackPunchIns {
    /// What is remembered while everything is silent: STUTTER and BRAKE do not act then.
    struct Memory: BitwiseCopyable {
        var filter: PunchFilter.Memory
        var thrown: Throw
        var gate: GainRamp
        var rampFrames: Int
    }

    var memory: Memory { Memory(filter: filter.memory, thrown: thrown, gate: gate, rampFrames: rampFrames) }

    /// Forgets all sound and who holds what, and remembers this instead.
    mutating func restore(_ memory: Memory) {
        reset()
        (stutter, brake) = (Stutter(times), Brake(times))
        filter.restore(memory.filter)
        (thrown, gate, rampFrames) = (memory.thrown, memory.gate, memory.rampFrames)
        findOpen()
    }
}
