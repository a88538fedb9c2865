/// Whether the music runs, where it is, and whose word on that counts: a machine without effects.
///
/// It is told everything with its frame: the score's settings, the cycle with the outside's position, commands. It is asked
/// what that leads to, which step starts with a frame, and what it wants of JACK's transport.
struct Transport: BitwiseCopyable {
    /// What a change leads to, with its frame.
    enum Consequence: BitwiseCopyable {
        /// What sounds is cut off: the music stops, or goes on elsewhere.
        case cut
        /// The clock stands at a step without having started it.
        case moved(RtTransport, step: Int)
    }

    var settings: TransportSettings
    var state = RtTransport.stopped
    var clock: StepClock
    /// Consequences that nobody has taken yet.
    var isCut = false
    var hasMoved = false

    /// What drives the clock; JACK's transport also while its timebase is ours.
    var driver = FollowedSource.own
    var jack: JackSource
    var midi: MidiSource
    var timeline = TimelineSource()
    var sender = ClockSender()
    /// Whether the music jumped since the sender was last told.
    var hasJumped = false
    /// Whether the music plays but stands until the MIDI clock's next tick.
    var awaitsTick = false
    /// While the music plays but stands until the timeline's next multiple of the quantum: the time in µs before which it
    /// does not start.
    var joinsFrom: Int64?
    /// Whether the MIDI clock is not followed until it starts anew, or we ask for it: it was lost, or we stopped alone.
    var ignoresTicks = true
    /// Frames from one correction to the next.
    var correctionFrames = 256.0
    var outside = OutsidePosition()
    /// What the driver says with the present cycle's first frame, if it is not our own clock.
    var course = Course(isRunning: false, position: 0, bpm: 120)
    /// The frame on which another driver takes over, and what it says there.
    var takeover: Takeover?
    /// The followed tempo that goes on after its source was lost, and what the score's was then.
    var kept: KeptTempo?
    var lastKeptBpm = 120.0
    /// How far the music was from where the source said, in steps.
    var lastLead = 0.0
    /// How often a source was lost.
    var lossCount: UInt32 = 0
    /// Whether nothing is followed any more, because the program ends.
    var isEnding = false
    /// Whether the music plays on by itself until JACK's transport rolls with it.
    var awaitsRolling = false
    /// The tempo that JACK's transport was told of, while the timebase is ours.
    var toldBpm = 0.0
    /// What is asked of JACK's transport, until it is taken.
    var request = TransportRequest()

    /// A transport that is stopped at step 0.
    @_noLocks @_noAllocation
    init(_ settings: TransportSettings) {
        self.settings = settings
        clock = StepClock(settings.timing(bpm: settings.bpm))
        jack = JackSource(sampleRate: settings.sampleRate)
        midi = MidiSource(sampleRate: settings.sampleRate)
    }

    // Comparing enum values would reach for their metadata.

    var isPlaying: Bool {
        @_noLocks @_noAllocation get { if case .playing = state { true } else { false } }
    }

    var isStopped: Bool {
        @_noLocks @_noAllocation get { if case .stopped = state { true } else { false } }
    }

    /// Whether our own clock drives.
    var isOwn: Bool {
        @_noLocks @_noAllocation get { if case .own = driver { true } else { false } }
    }

    /// Whether steps follow each other now.
    var runs: Bool {
        @_noLocks @_noAllocation get { isPlaying && !isWaiting }
    }

    /// Whether the music is to play but stands until a source starts it.
    var isWaiting: Bool {
        @_noLocks @_noAllocation get { awaitsTick || joinsFrom != nil }
    }

    /// Whether the MIDI clock drives.
    var isMidi: Bool {
        @_noLocks @_noAllocation get { if case .midi = driver { true } else { false } }
    }

    /// The tempo that is ours, whether it plays or not.
    var ownBpm: Double {
        @_noLocks @_noAllocation get { kept?.bpm ?? settings.bpm }
    }

    /// The tempo that plays, without what is taken back of an error.
    var bpm: Double {
        @_noLocks @_noAllocation get { isOwn || isMidi && ignoresTicks && isPlaying ? ownBpm : course.bpm }
    }

    // MARK: Time

    /// The step that starts with a frame, nil when none does; at most one until the next call.
    @_noLocks @_noAllocation
    mutating func nextStep(at frame: Int64) -> Int? {
        guard runs && clock.nextFrame <= frame else { return nil }
        clock.advance()
        return clock.step
    }

    /// What happened since the last call, in order; nil when that is all.
    @_noLocks @_noAllocation
    mutating func nextConsequence() -> Consequence? {
        if isCut {
            isCut = false
            return .cut
        }
        if hasMoved {
            hasMoved = false
            return .moved(state, step: clock.step)
        }
        return nil
    }

    /// Frames from one on in which nothing happens, at most `count`.
    @_noLocks @_noAllocation
    func quietFrames(from frame: Int64, atMost count: Int) -> Int {
        var next = min(runs ? clock.nextFrame : .max, sender.nextFrame(clock, runs: runs))
        if let takeover { next = min(next, takeover.frame) }
        return Int(max(0, min(Int64(count), next - frame)))
    }

    /// Sends what is due of our clock with a frame.
    @_noLocks @_noAllocation
    mutating func sendClock(at frame: Int64, offset: Int, to port: MidiBuffer) {
        unsafe sender.send(
            clock, runs: runs, hasJumped: hasJumped, at: frame, offset: Int32(truncatingIfNeeded: offset), to: port)
        hasJumped = false
    }

    /// What is asked of JACK's transport since the last call.
    @_noLocks @_noAllocation
    mutating func takeRequest() -> TransportRequest {
        let request = request
        self.request = TransportRequest()
        if let bar = request.bar { jack.remember(bar) }
        return request
    }

    // MARK: Settings

    /// Goes by other settings from a frame on. A clock that is told nothing new keeps its anchor.
    @_noLocks @_noAllocation
    mutating func take(_ new: TransportSettings, at frame: Int64) {
        if let kept, kept.replacedBpm != new.bpm { self.kept = nil }
        if new.sampleRate != settings.sampleRate {
            jack = JackSource(sampleRate: new.sampleRate)
            midi = MidiSource(sampleRate: new.sampleRate)
        }
        sender.turn(on: new.sync.leadsMidi, delay: floor(new.sync.offsetOut * new.sampleRate + 0.5), at: frame)
        settings = new
        let step = clock.step
        retime(bpm: bpm, at: frame)
        if clock.step != step { hasMoved = true }
    }

    /// Lets the clock go by the settings, at a tempo.
    @_noLocks @_noAllocation
    mutating func retime(bpm: Double, at frame: Int64) {
        let timing = settings.timing(bpm: bpm)
        if timing == clock.timing { return }
        if runs {
            clock.retime(timing, at: frame)
        } else {
            clock.retime(timing)
        }
        if !isOwn { clock.countFromSongStart() }
    }
}

/// A tempo that goes on after its source was lost.
struct KeptTempo: BitwiseCopyable {
    var bpm: Double
    /// The score's tempo then: with the next one it is over.
    var replacedBpm: Double

    @_noLocks @_noAllocation
    init(bpm: Double, replacing replacedBpm: Double) {
        self.bpm = bpm
        self.replacedBpm = replacedBpm
        while self.bpm > 300 { self.bpm /= 2 }
        while self.bpm < 20 { self.bpm *= 2 }
    }
}

/// Another source's taking over in the midst of a cycle.
struct Takeover: BitwiseCopyable {
    var frame: Int64
    var driver: FollowedSource
    var course: Course

    @_noLocks @_noAllocation
    init(frame: Int64, driver: FollowedSource, course: Course) {
        self.frame = frame
        self.driver = driver
        self.course = course
    }
}
