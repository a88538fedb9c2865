/// Whether the music runs, and where it is: what a command or a frame leads to, as a machine without effects.
///
/// It is told each change with its frame, and asked what that leads to and which step starts.
struct Transport: BitwiseCopyable {
    /// What a change leads to, with its frame.
    enum Consequence: BitwiseCopyable {
        /// What sounds is cut off: the music stops, or goes on elsewhere.
        case cut
        /// The clock stands at a step without having started it.
        case moved(RtTransport, step: Int)
    }

    private var state = RtTransport.stopped
    private var clock: StepClock
    /// Consequences that nobody has taken yet.
    private var isCut = false
    private var hasMoved = false

    /// A transport that is stopped at step 0.
    init(_ timing: StepTiming) {
        clock = StepClock(timing)
    }

    // Comparing enum values would reach for their metadata.

    private var isPlaying: Bool {
        @_noLocks @_noAllocation get { if case .playing = state { true } else { false } }
    }

    private var isStopped: Bool {
        @_noLocks @_noAllocation get { if case .stopped = state { true } else { false } }
    }

    // MARK: Time

    /// The step that starts with a frame, nil when none does; at most one until the next call.
    @_noLocks @_noAllocation
    mutating func nextStep(at frame: Int64) -> Int? {
        guard isPlaying && clock.nextFrame <= frame else { return nil }
        clock.advance()
        return clock.step
    }

    /// What the changes since the last call led to, in order; nil when that is all.
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

    /// Frames from one on in which no step starts, at most `count`.
    @_noLocks @_noAllocation
    func framesToStep(from frame: Int64, atMost count: Int) -> Int {
        isPlaying ? Int(min(Int64(count), clock.nextFrame - frame)) : count
    }

    // MARK: Changes

    /// Goes by another timing from a frame on. A clock that is told nothing new keeps its anchor.
    @_noLocks @_noAllocation
    mutating func retime(_ timing: StepTiming, at frame: Int64) {
        if timing == clock.timing { return }
        let step = clock.step
        if isPlaying {
            clock.retime(timing, at: frame)
        } else {
            clock.retime(timing)
        }
        if clock.step != step { hasMoved = true }
    }

    @_noLocks @_noAllocation
    mutating func play(at frame: Int64) {
        guard !isPlaying else { return }
        state = .playing
        clock.start(at: frame)
        hasMoved = true
    }

    /// Stays where it is; the step that is cut off is played again from its start.
    @_noLocks @_noAllocation
    mutating func pause() {
        guard isPlaying else { return }
        state = .paused
        isCut = true
        hasMoved = true
    }

    /// Goes back to the song's start; cuts off what sounds in any state, which may be auditions.
    @_noLocks @_noAllocation
    mutating func stop() {
        isCut = true
        finish()
    }

    /// Goes back to the song's start and lets what sounds ring out.
    @_noLocks @_noAllocation
    mutating func finish() {
        guard !isStopped || clock.step != 0 else { return }
        state = .stopped
        clock.move(to: 0)
        hasMoved = true
    }

    /// Goes to a step, modulo the length, and makes it the song's.
    @_noLocks @_noAllocation
    mutating func locate(_ step: Int, at frame: Int64) {
        clock.move(to: Int64(max(0, step) % clock.timing.length))
        if isPlaying {
            isCut = true
            clock.start(at: frame)
        }
        hasMoved = true
    }
}
