/// MIDI clock as a source of time: 24 ticks a quarter note, Start, Stop, Continue and song position.
struct MidiSource: BitwiseCopyable {
    /// What a message means for the music.
    enum Consequence: BitwiseCopyable {
        case nothing
        /// A tick with which the music is at a place.
        case tick
        /// The music waits for the next tick.
        case start
        case stop
    }

    /// Steps from one tick to the next.
    private static var stepsPerTick: Double {
        @_noLocks @_noAllocation get { 1 / 6 }
    }

    private let sampleRate: Double
    private var loop = DelayLockedLoop()
    private var lastFrame: Int64?
    /// The song's tick that comes next.
    private(set) var nextTick: Int64 = 0
    /// Whether ticks move the song: between Start or Continue and Stop.
    private(set) var isRunning = false
    /// Whether the next tick is the first since then.
    private var isFirst = false

    @_noLocks @_noAllocation
    init(sampleRate: Double) {
        self.sampleRate = sampleRate
    }

    /// Whether ticks have come within the last half second before a frame, enough of them for a tempo.
    @_noLocks @_noAllocation
    func isPresent(at frame: Int64) -> Bool { loop.isRunning && !isSilent(at: frame) }

    /// Whether no tick has come within the last half second before a frame.
    @_noLocks @_noAllocation
    func isSilent(at frame: Int64) -> Bool {
        guard let lastFrame else { return true }
        return Double(frame - lastFrame) >= sampleRate / 2
    }

    /// The tempo of the ticks, within what can be played.
    var bpm: Double {
        @_noLocks @_noAllocation get {
            loop.period > 0 ? max(10, min(1000, sampleRate * 2.5 / loop.period)) : 120
        }
    }

    /// Where the music is with a frame by the ticks so far.
    @_noLocks @_noAllocation
    func course(at frame: Int64) -> Course {
        let since = loop.period > 0 ? (Double(frame) - loop.time) / loop.period : 0
        let ticks = Double(nextTick - 1) + since
        return Course(isRunning: isRunning, position: ticks * MidiSource.stepsPerTick, bpm: bpm)
    }

    /// Lets the music run with the next tick, as if a Continue had come.
    @_noLocks @_noAllocation
    mutating func run() { (isRunning, isFirst) = (true, true) }

    /// Whether the tempo is known from so few ticks that where they are is not yet sure.
    var isYoung: Bool {
        @_noLocks @_noAllocation get { loop.isYoung }
    }

    /// Where the music is with the newest tick by the count alone.
    var tickPosition: Double {
        @_noLocks @_noAllocation get { Double(nextTick - 1) * MidiSource.stepsPerTick }
    }

    /// Takes a message.
    @_noLocks @_noAllocation
    mutating func take(_ event: MidiEvent, at frame: Int64) -> Consequence {
        switch event.status {
        case 0xf8:
            tick(at: frame)
            return isRunning ? .tick : .nothing
        case 0xfa:
            nextTick = 0
            run()
            return .start
        case 0xfb:
            run()
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

    @_noLocks @_noAllocation
    private mutating func tick(at frame: Int64) {
        // After a pause the ticks say nothing of those before.
        if isSilent(at: frame) { loop = DelayLockedLoop() }
        lastFrame = frame
        let limit = max(sampleRate * 0.0022, loop.period * 0.08)
        if isFirst {
            loop.takeFirst(Double(frame), limit: limit)
        } else {
            loop.take(Double(frame), limit: limit)
        }
        isFirst = false
        if isRunning { nextTick += 1 }
    }

    /// The ticks ended in mid-music: their place is no more.
    @_noLocks @_noAllocation
    mutating func lose() { isRunning = false }
}
