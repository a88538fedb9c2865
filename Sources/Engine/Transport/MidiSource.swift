/// MIDI clock as a source of time: 24 ticks a quarter note, Start, Stop, Continue and song position.
struct MidiSource: BitwiseCopyable {
    /// The consequence of a message for the music.
    enum Consequence: BitwiseCopyable {
        case nothing
        /// A tick with which the music is at a place.
        case tick
        /// The music waits for the next tick.
        case start
        case stop
    }

    /// Steps from one tick to the next.
    private static var stepsPerTick: Double { 1 / 6 }

    private let sampleRate: Double
    private var loop: DelayLockedLoop
    private var lastFrame: Int64?
    /// The song's tick that comes next.
    private(set) var nextTick: Int64 = 0
    /// Whether ticks move the song: between Start or Continue and Stop.
    private(set) var isRunning = false
    /// Whether the next tick is the first since then.
    private(set) var isFirst = false
    /// Whether it runs by our own play, as the clock has given no Start, or has stopped.
    private var isOurs = false
    /// The frame of the last Start or Continue, or of our own play.
    private var startFrame = Int64.min / 2
    /// After frames that were not rendered, the one until which their ticks may still come; nil once a later one has.
    private var lateUntil: Int64?

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        loop = DelayLockedLoop(slack: 0.0022 * sampleRate)
    }

    /// Whether ticks have come within the last half second before a frame, enough of them for a tempo.
    func isPresent(at frame: Int64) -> Bool { loop.isRunning && !isSilent(at: frame) }

    /// Whether no tick has come within the last half second before a frame.
    func isSilent(at frame: Int64) -> Bool {
        guard let lastFrame else { return true }
        return Double(frame - lastFrame) >= sampleRate / 2
    }

    /// Whether it runs by a Start or Continue of the clock.
    var isStarted: Bool { isRunning && !isOurs }

    /// Whether ticks still move the song, but none has come within the last half second before a frame, nor a Start.
    func hasDied(at frame: Int64) -> Bool {
        isRunning && isSilent(at: frame) && Double(frame - startFrame) >= sampleRate / 2
    }

    /// The tempo of the ticks, within what can be played.
    var bpm: Double { loop.period > 0 ? max(10, min(1000, sampleRate * 2.5 / loop.period)) : 120 }

    /// Where the music is with a frame by the ticks so far.
    func course(at frame: Int64) -> Course {
        let since = loop.period > 0 ? (Double(frame) - loop.time) / loop.period : 0
        let ticks = Double(nextTick - 1) + since
        return Course(isRunning: isRunning, position: ticks * MidiSource.stepsPerTick, bpm: bpm)
    }

    /// Lets the music run with the next tick, as if a Start had come, or else a Continue.
    mutating func play(anew: Bool, at frame: Int64) {
        if anew { nextTick = 0 }
        run(at: frame)
        isOurs = true
    }

    private mutating func run(at frame: Int64) {
        (isRunning, isFirst, isOurs, startFrame) = (true, true, false, frame)
    }

    /// We have stopped: a run of ours is over, the clock's own is not.
    mutating func stop() { if isOurs { isRunning = false } }

    /// Whether the tempo is known from few ticks, or moves.
    var isMoving: Bool { loop.isMoving }

    /// The song position up to which the music may play before the next tick comes: that of the tick, plus the jitter
    /// that it may have.
    var foreseeable: Double { tickPosition + (1 + min(1, loop.limit / max(loop.period, 1))) * MidiSource.stepsPerTick }

    /// The frame from which on a missing tick counts as lost rather than late: the tempo may have dropped to a quarter.
    var endOfPatience: Int64 { (lastFrame ?? 0) + Int64(4 * loop.period) }

    /// Where the music is with the newest tick by the count alone.
    var tickPosition: Double { Double(nextTick - 1) * MidiSource.stepsPerTick }

    /// Follows a message.
    mutating func follow(_ event: MidiEvent, at frame: Int64) -> Consequence {
        switch event.status {
        case 0xf8:
            tick(at: frame)
            return isRunning ? .tick : .nothing
        case 0xfa:
            nextTick = 0
            run(at: frame)
            return .start
        case 0xfb:
            run(at: frame)
            return .start
        case 0xfc:
            isRunning = false
            return .stop
        case 0xf2 where event.count == 3 && event.first < 0x80 && event.second < 0x80:
            nextTick = (Int64(event.first) | Int64(event.second) << 7) * 6
            return .nothing
        default: return .nothing
        }
    }

    /// Frames pass that are not rendered. Ticks that are due in them count, whether they are lost or come late.
    mutating func skip(from first: Int64, to frame: Int64) {
        guard isPresent(at: first) else { return }
        skip(until: Double(frame))
        lastFrame = max(lastFrame ?? first, Int64(loop.time))
        lateUntil = frame + Int64(loop.period)
    }

    private mutating func skip(until time: Double) {
        let count = loop.skip(until: time)
        if isRunning && !isFirst { nextTick += count }
    }

    private mutating func tick(at frame: Int64) {
        // After a pause the earlier ticks do not count.
        if isSilent(at: frame) {
            loop = DelayLockedLoop(slack: 0.0022 * sampleRate)
            lateUntil = nil
        }
        lastFrame = frame
        if let lateUntil, !isFirst {
            // It may be late, so that it tells no time; where it is, the count is what the clock says.
            if frame < lateUntil { return skip(until: Double(frame) + loop.period / 2) }
            skip(until: Double(frame) - loop.period / 2)
        }
        lateUntil = nil
        if isFirst {
            loop.begin(Double(frame))
        } else {
            loop.update(Double(frame))
        }
        isFirst = false
        if isRunning { nextTick += 1 }
    }

    /// Ticks were missed, so that they no longer say where the song is.
    mutating func lose() { isRunning = false }
}
