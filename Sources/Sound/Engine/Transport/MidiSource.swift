/// MIDI clock as a source of time: 24 ticks a quarter note, Start, Stop, Continue and song position.
struct MidiSource: BitwiseCopyable {
    /// The consequence of a message for the music.
    enum Consequence: BitwiseCopyable {
        case nothing
        /// A tick that moves the song.
        case tick
        /// The music waits for the next tick.
        case start
        case stop
    }

    /// Steps from one tick to the next.
    private static var stepsPerTick: Double { 1 / 6 }

    private let sampleRate: Double
    private var loop: DelayLockedLoop
    private var sieve = TickSieve()
    /// Ticks since the last Start or Continue, of both clocks.
    private var ticksOfRun: Int64 = 0
    private var lastFrame: Int64?
    /// The song's next tick.
    private(set) var nextTick: Int64 = 0
    /// Whether ticks move the song: between Start or Continue and Stop.
    private(set) var isRunning = false
    /// Whether the next tick is the first since Start or Continue.
    private(set) var isFirst = false
    /// Whether the song runs because we started it ourselves. The clock has sent no Start, or has sent Stop since.
    private var isOurs = false
    /// The frame of the last Start or Continue, or of our own play.
    private var startFrame = Int64.min / 2
    /// After frames that were not rendered, the frame until which their ticks may still come; nil once a later tick has.
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

    /// Whether the ticks come from two clocks, of which one is followed.
    func hasSecondClock(at frame: Int64) -> Bool { sieve.hasTwoClocks && !isSilent(at: frame) }

    /// Whether it runs because of the clock's own Start or Continue.
    var isStarted: Bool { isRunning && !isOurs }

    /// Whether the song runs, although neither a tick nor a Start has come within the half second before a frame.
    func hasDied(at frame: Int64) -> Bool {
        isRunning && isSilent(at: frame) && Double(frame - startFrame) >= sampleRate / 2
    }

    /// The tempo of the ticks, limited to 10 to 1000.
    var bpm: Double { loop.period > 0 ? max(10, min(1000, sampleRate * 2.5 / loop.period)) : 120 }

    /// Where the music is at a frame, judging by the ticks so far.
    func course(at frame: Int64) -> Course {
        let since = loop.period > 0 ? (Double(frame) - loop.time) / loop.period : 0
        let estimated = Double(nextTick - 1) + since
        // Without ticks a song that was stopped goes nowhere.
        let ticks = isRunning ? estimated : min(estimated, Double(nextTick))
        return Course(isRunning: isRunning, position: ticks * MidiSource.stepsPerTick, bpm: bpm)
    }

    /// Runs the music from the next tick, as if Start (`anew`) or Continue had come.
    mutating func play(anew: Bool, at frame: Int64) {
        if anew { nextTick = 0 }
        run(at: frame)
        isOurs = true
    }

    private mutating func run(at frame: Int64) {
        (isRunning, isFirst, isOurs, startFrame) = (true, true, false, frame)
        ticksOfRun = 0
    }

    /// Ends a run that our own play began; the clock's own run continues.
    mutating func stop() { if isOurs { isRunning = false } }

    /// Whether the tempo is known from only a few ticks, or is changing.
    var isMoving: Bool { loop.isMoving }

    /// The song position up to which the music may play before the next tick comes: that of the tick, plus its possible
    /// jitter.
    var foreseeable: Double { tickPosition + (1 + min(1, loop.limit / max(loop.period, 1))) * MidiSource.stepsPerTick }

    /// The frame from which a missing tick counts as lost rather than late: the tempo may have dropped to a quarter.
    var endOfPatience: Int64 { (lastFrame ?? 0) + Int64(4 * loop.period) }

    /// The song position of the newest tick, by the count alone.
    var tickPosition: Double { Double(nextTick - 1) * MidiSource.stepsPerTick }

    /// Follows a message.
    mutating func follow(_ event: MidiEvent, at frame: Int64) -> Consequence {
        switch event.status {
        case 0xf8:
            return tick(at: frame) && isRunning ? .tick : .nothing
        case 0xfa, 0xfb:
            // The other clock's, which the first has already followed.
            let isRepeated = isStarted && Double(frame - startFrame) < loop.period / 3
            if isRepeated && hasSecondClock(at: frame) { return .nothing }
            if event.status == 0xfa { nextTick = 0 }
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

    /// Skips frames that are not rendered. Ticks due in them count, whether they are lost or come late.
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

    /// Follows a tick; false if it is another clock's.
    private mutating func tick(at frame: Int64) -> Bool {
        // After a pause the earlier ticks do not count.
        if isSilent(at: frame) {
            loop = DelayLockedLoop(slack: 0.0022 * sampleRate)
            sieve = TickSieve()
            lateUntil = nil
        }
        if let lateUntil, !isFirst {
            // The tick may be late, so its time is not used; the estimated clock moves the count.
            if frame < lateUntil {
                lastFrame = frame
                skip(until: Double(frame) + loop.period / 2)
                return true
            }
            skip(until: Double(frame) - loop.period / 2)
        }
        lateUntil = nil
        ticksOfRun += 1
        switch sieve.judge(tickAt: frame) {
        case .tick:
            follow(tickAt: frame)
            return true
        case .foreign: return false
        case .foundPairs(let count, let length):
            // Until now both ticks of each pair have counted.
            if isRunning && !isFirst { nextTick -= max(0, min(count - 1, (ticksOfRun - 2) / 2)) }
            if let lastFrame { loop.restart(at: Double(lastFrame), period: Double(length)) }
            return false
        }
    }

    private mutating func follow(tickAt frame: Int64) {
        lastFrame = frame
        if isFirst {
            loop.begin(Double(frame))
        } else {
            loop.update(Double(frame))
        }
        isFirst = false
        if isRunning { nextTick += 1 }
    }

    /// Ticks were missed, so that counting them no longer gives the song's position.
    mutating func lose() { isRunning = false }
}
