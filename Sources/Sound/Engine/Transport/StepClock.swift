import Music

/// The step clock: the frame on which each step of the song starts.
///
/// It counts *song steps*, sixteenths since the song's start; the *song position* is the same with a fraction, and runs
/// evenly. Steps are computed from an anchor, a frame whose song position is known, and not from the step before, so
/// that errors do not add up. A change of timing sets a new anchor.
struct StepClock: BitwiseCopyable {
    /// Set directly only while the clock is stopped; while it runs, use ``retime(_:at:)``.
    var timing: StepTiming
    /// The anchor: a frame by the engine's count, and its song position.
    private var (anchorFrame, anchorPosition) = (Int64(0), 0.0)
    /// The song step in progress, or the one to start from.
    private(set) var songStep: Int64 = 0
    /// The song step that starts next, and the frame on which it does.
    private var nextSongStep: Int64 = 0
    private(set) var nextFrame: Int64 = 0
    /// The song step with which it started.
    private(set) var startStep: Int64 = 0
    /// The first song step that was not past when it started.
    private var punctualStep: Int64 = 0

    /// A clock that is stopped at step 0.
    init(_ timing: StepTiming) {
        self.timing = timing
    }

    /// The song position at a frame, by the present timing.
    func position(at frame: Int64) -> Double {
        anchorPosition + Double(frame - anchorFrame) / timing.stepFrames
    }

    /// The frame nearest to a song position, if the timing stays.
    func frame(of position: Double) -> Int64 {
        anchorFrame + floor((position - anchorPosition) * timing.stepFrames + 0.5)
    }

    /// Whether the step in progress was past when the clock started.
    var isOverdue: Bool { songStep < punctualStep }

    /// The song position at which the next step starts.
    var nextPosition: Double { timing.grid.position(of: nextSongStep) }

    /// Moves the stopped clock to a song step.
    mutating func move(to songStep: Int64) { self.songStep = songStep }

    /// Runs from a song position at a frame. A step that starts there, or less than half a frame before, is played;
    /// earlier ones are not.
    ///
    /// - Parameters:
    ///   - earliest: An earlier song position, from which steps are also played, at once.
    ///   - first: The first song step that may be played.
    mutating func start(
        from position: Double, at frame: Int64, since earliest: Double = .infinity, first: Int64 = .min
    ) {
        anchorFrame = frame
        anchorPosition = position
        nextSongStep = max(firstStep(from: min(position, earliest)), first)
        (startStep, punctualStep) = (nextSongStep, firstStep(from: position))
        songStep = nextPosition <= position + 0.5 / timing.stepFrames ? nextSongStep : nextSongStep - 1
        findNextFrame()
    }

    /// The first step that starts at or after a song position, or less than half a frame before it.
    func firstStep(from position: Double) -> Int64 {
        let reached = position - 0.5 / timing.stepFrames
        let step = ceiling(reached)
        return timing.grid.position(of: step - 1) >= reached ? step - 1 : step
    }

    /// Corrects the position, without playing a step twice or skipping one.
    mutating func correct(to position: Double, at frame: Int64) {
        anchorFrame = frame
        anchorPosition = position
        findNextFrame()
    }

    /// Starts the current step at a frame.
    mutating func start(at frame: Int64) {
        (startStep, punctualStep, nextSongStep) = (songStep, songStep, songStep)
        anchorFrame = frame
        anchorPosition = timing.grid.position(of: songStep)
        nextFrame = frame
    }

    /// Moves on to the step that is due.
    mutating func advance() {
        songStep = nextSongStep
        nextSongStep += 1
        findNextFrame()
    }

    /// Changes the timing at a frame while the clock runs; the song position stays.
    mutating func retime(_ new: StepTiming, at frame: Int64) {
        anchorPosition = position(at: frame)
        anchorFrame = frame
        timing = new
        findNextFrame()
    }

    private mutating func findNextFrame() {
        let distance = (nextPosition - anchorPosition) * timing.stepFrames
        nextFrame = anchorFrame + max(0, Int64(distance + 0.5))
    }
}

/// The tempo of the song's steps, and their grid.
struct StepTiming: BitwiseCopyable {
    /// Nominal length of a step in frames.
    var stepFrames: Double
    var grid: SongGrid

    init(bpm: Double, swing: Double, loop: Loop, sampleRate: Double) {
        stepFrames = sampleRate * 60 / bpm / 4
        grid = SongGrid(swing: swing, loop: loop)
    }

    /// Whether every step starts on the same frame as with another timing.
    func hasSteps(of other: StepTiming) -> Bool {
        stepFrames == other.stepFrames && grid.swing == other.grid.swing
            && grid.loop.length == other.grid.loop.length && grid.loop.origin == other.grid.loop.origin
    }
}
