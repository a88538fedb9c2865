/// Plays the score: lets the clock run, starts and releases notes, and tells the control loop.
struct Sequencer: ~Copyable {
    /// What is played, but for its cells.
    private var settings: ScoreSettings
    private var cells: ScoreCells
    /// Frames rendered since the engine was made; all voices' times are in these.
    private(set) var frame: Int64 = 0

    private var transport = RtTransport.stopped
    /// Where the clock stands: the step in progress, or the one to start from.
    private var step = 0
    private var clock: StepClock
    private var held = HeldNotes()
    private var sampleRate: Double

    init(_ score: Score, sampleRate: Double) {
        settings = ScoreSettings(score)
        cells = ScoreCells(score)
        self.sampleRate = sampleRate
        clock = StepClock(settings.timing(sampleRate: sampleRate))
    }

    /// Fits another sample rate; all sound is gone, the step in progress goes on from where it is.
    mutating func prepare(sampleRate: Double) {
        self.sampleRate = sampleRate
        retime()
        held.forgetAll()
    }

    // Comparing enum values would reach for their metadata.

    private var isPlaying: Bool {
        @_noLocks @_noAllocation get { if case .playing = transport { true } else { false } }
    }

    private var isStopped: Bool {
        @_noLocks @_noAllocation get { if case .stopped = transport { true } else { false } }
    }

    // MARK: Time

    /// Starts the step that is due with the present frame, if there is one.
    @_noLocks @_noAllocation
    mutating func startDueStep(
        _ voices: inout VoiceSet, _ notices: borrowing NoticeRing, offset: Int, in cycle: RtCycle
    ) {
        guard isPlaying && clock.nextFrame <= frame else { return }
        step = clock.nextStep
        clock.advance()
        held.countStep()
        releaseNotes(&voices)
        var started = PerTrack<UInt32>(repeating: 0)
        for track in 0..<trackCount {
            started[track] = cells.heads(track: track, step: step)
            startNotes(started[track], track: track, &voices)
        }
        let usecs = cycle.startUsecs + UInt64(Double(offset) * cycle.usecsPerFrame + 0.5)
        notices.push(
            .step(
                step: Int32(truncatingIfNeeded: step), frame: cycle.startFrame + Int64(offset), usecs: usecs,
                notes: started))
    }

    /// Frames until the next step starts, at most `count`.
    @_noLocks @_noAllocation
    func stretch(atMost count: Int) -> Int {
        isPlaying ? Int(min(Int64(count), clock.nextFrame - frame)) : count
    }

    /// Lets frames pass.
    @_noLocks @_noAllocation
    mutating func advance(_ count: Int) {
        frame += Int64(count)
    }

    // MARK: Changes, at the start of a period

    /// Plays another score from now on.
    @_noLocks @_noAllocation
    mutating func take(_ score: UnsafePointer<Score>, _ voices: inout VoiceSet, _ notices: borrowing NoticeRing) {
        unsafe cells.take(score)
        settings = unsafe ScoreSettings(score.pointee)
        retime()
        let moved = step % settings.length
        if moved != step {
            step = moved
            tell(notices)
        }
        held.compare(with: cells)
        releaseNotes(&voices)
    }

    /// Does what a command says.
    @_noLocks @_noAllocation
    mutating func perform(_ command: RtCommand, _ voices: inout VoiceSet, _ notices: borrowing NoticeRing) {
        switch command {
        case .play: play(notices)
        case .pause: pause(&voices, notices)
        case .stop, .silence: stop(&voices, notices)
        case .finish: finish(notices)
        case .locate(let step): locate(Int(step), &voices, notices)
        case .audition(let track, let notes, let velocity):
            audition(Int(track), notes, isAccent: velocity == 2, &voices)
        }
    }
}

// MARK: - Commands

extension Sequencer {
    @_noLocks @_noAllocation
    private mutating func play(_ notices: borrowing NoticeRing) {
        guard !isPlaying else { return }
        transport = .playing
        clock.start(at: step, frame: frame)
        tell(notices)
    }

    /// The step that is cut off is played again from its start.
    @_noLocks @_noAllocation
    private mutating func pause(_ voices: inout VoiceSet, _ notices: borrowing NoticeRing) {
        guard isPlaying else { return }
        transport = .paused
        silence(&voices)
        tell(notices)
    }

    @_noLocks @_noAllocation
    private mutating func stop(_ voices: inout VoiceSet, _ notices: borrowing NoticeRing) {
        silence(&voices)
        finish(notices)
    }

    @_noLocks @_noAllocation
    private mutating func finish(_ notices: borrowing NoticeRing) {
        guard !isStopped || step != 0 else { return }
        transport = .stopped
        step = 0
        tell(notices)
    }

    @_noLocks @_noAllocation
    private mutating func locate(_ target: Int, _ voices: inout VoiceSet, _ notices: borrowing NoticeRing) {
        step = max(0, target) % settings.length
        if isPlaying {
            silence(&voices)
            clock.start(at: step, frame: frame)
        }
        tell(notices)
    }

    @_noLocks @_noAllocation
    private mutating func audition(_ track: Int, _ notes: UInt16, isAccent: Bool, _ voices: inout VoiceSet) {
        guard track >= 0 && track < trackCount && !settings.isSilent(track) else { return }
        for note in 0..<noteCount where notes >> UInt16(truncatingIfNeeded: note) & 1 == 1 {
            held.forget(track: track, note: note)
            let stroke = Stroke(isAccent: isAccent, stepSeconds: stepSeconds, sustainSteps: 0)
            voices.start(track: track, note: note, stroke, at: frame)
        }
    }

    @_noLocks @_noAllocation
    private func tell(_ notices: borrowing NoticeRing) {
        notices.push(.transport(state: transport, step: Int32(truncatingIfNeeded: step)))
    }
}

// MARK: - Notes

extension Sequencer {
    /// Starts the notes of packed cells, all heads, on the present step.
    @_noLocks @_noAllocation
    private mutating func startNotes(_ heads: UInt32, track: Int, _ voices: inout VoiceSet) {
        var rest = heads
        while rest != 0 {
            let note = rest.trailingZeroBitCount / 2
            let isAccent = heads >> UInt32(truncatingIfNeeded: 2 * note) & 3 == 2
            rest &= ~(3 << UInt32(truncatingIfNeeded: 2 * note))
            let sustainCount =
                voices.holdsNotes(of: track) ? cells.sustainCount(track: track, note: note, head: step) : 0
            held.start(track: track, note: note, head: step, sustainCount: sustainCount)
            let stroke = Stroke(isAccent: isAccent, stepSeconds: stepSeconds, sustainSteps: sustainCount)
            voices.start(track: track, note: note, stroke, at: frame)
        }
    }

    @_noLocks @_noAllocation
    private mutating func releaseNotes(_ voices: inout VoiceSet) {
        for track in 0..<trackCount {
            for note in 0..<noteCount where held.takeReleased(track: track, note: note) {
                voices.fade(track: track, note: note, at: frame)
            }
        }
    }

    @_noLocks @_noAllocation
    private mutating func silence(_ voices: inout VoiceSet) {
        voices.fadeAll(at: frame)
        held.forgetAll()
    }
}

// MARK: - Timing

extension Sequencer {
    private var stepSeconds: Double {
        @_noLocks @_noAllocation get { 15 / settings.bpm }
    }

    /// Tells the clock what the score says, if that is new to it: a clock that is left alone keeps its anchor.
    @_noLocks @_noAllocation
    private mutating func retime() {
        let timing = settings.timing(sampleRate: sampleRate)
        if timing == clock.timing { return }
        if isPlaying {
            clock.retime(timing, at: frame)
        } else {
            clock = StepClock(timing)
        }
    }
}
