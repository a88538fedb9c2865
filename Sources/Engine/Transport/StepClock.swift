/// The step clock: on which frame which step starts.
///
/// It counts *song steps*, sixteenths since the song's start; the *song position* is the same with a fraction, and runs
/// evenly: swing delays the odd steps of the pattern, and nothing else. Steps are computed from an anchor, a frame whose
/// song position is known, and never from the step before, so nothing adds up. A change of timing sets a new anchor.
struct StepClock: BitwiseCopyable {
    private(set) var timing: StepTiming
    private var anchorFrame: Int64 = 0
    private var anchorPosition = 0.0
    /// A song step on which the pattern begins.
    private var origin: Int64 = 0
    /// The song step in progress, or the one to start from.
    private(set) var songStep: Int64 = 0
    private var nextSongStep: Int64 = 0
    /// The frame on which the next step starts.
    private(set) var nextFrame: Int64 = 0

    /// A clock that stands at step 0.
    @_noLocks @_noAllocation
    init(_ timing: StepTiming) {
        self.timing = timing
    }

    /// The pattern's step in progress, or the one to start from.
    var step: Int {
        @_noLocks @_noAllocation get { step(of: songStep) }
    }

    /// The song position with a frame.
    @_noLocks @_noAllocation
    func position(at frame: Int64) -> Double {
        anchorPosition + Double(frame - anchorFrame) / timing.stepFrames
    }

    /// The frame that lies nearest to a song position, if the timing stays.
    @_noLocks @_noAllocation
    func frame(of position: Double) -> Int64 {
        anchorFrame + floor((position - anchorPosition) * timing.stepFrames + 0.5)
    }

    /// Goes to a song step, on which the pattern's step 0 lies or a whole number of its lengths later.
    @_noLocks @_noAllocation
    mutating func move(to songStep: Int64) {
        origin = 0
        self.songStep = songStep
    }

    /// Whether the pattern's step 0 lies on the song's start, or a whole number of its lengths later.
    var countsFromSongStart: Bool {
        @_noLocks @_noAllocation get { origin % Int64(timing.length) == 0 }
    }

    /// Lets the pattern's step 0 lie on the song's start.
    @_noLocks @_noAllocation
    mutating func countFromSongStart() {
        origin = 0
        findNextFrame()
    }

    /// Goes on from a song position with a frame, counted from the song's start. A step that starts there, or less than half
    /// a frame before, is played; one that lies further back is not.
    ///
    /// - Parameters:
    ///   - earliest: A song position before that one, from which on steps are played too: at once.
    ///   - first: The song step before which none is played.
    @_noLocks @_noAllocation
    mutating func start(
        from position: Double, at frame: Int64, since earliest: Double = .infinity, first: Int64 = .min
    ) {
        origin = 0
        anchorFrame = frame
        anchorPosition = position
        let reached = min(position, earliest) - 0.5 / timing.stepFrames
        nextSongStep = ceiling(reached)
        if onset(nextSongStep - 1) >= reached { nextSongStep -= 1 }
        nextSongStep = max(nextSongStep, first)
        songStep = onset(nextSongStep) <= position + 0.5 / timing.stepFrames ? nextSongStep : nextSongStep - 1
        findNextFrame()
    }

    /// Moves what is to come, without playing a step twice or leaving one out.
    @_noLocks @_noAllocation
    mutating func correct(to position: Double, at frame: Int64) {
        anchorFrame = frame
        anchorPosition = position
        findNextFrame()
    }

    /// Lets the step that the clock stands at start with a frame.
    @_noLocks @_noAllocation
    mutating func start(at frame: Int64) {
        nextSongStep = songStep
        anchorFrame = frame
        anchorPosition = onset(songStep)
        nextFrame = frame
    }

    /// Goes on to the step that is due.
    @_noLocks @_noAllocation
    mutating func advance() {
        songStep = nextSongStep
        nextSongStep += 1
        findNextFrame()
    }

    /// Changes the timing with a frame while the clock runs: the song position stays, and the step in progress is counted
    /// modulo the new length.
    @_noLocks @_noAllocation
    mutating func retime(_ new: StepTiming, at frame: Int64) {
        anchorPosition = position(at: frame)
        anchorFrame = frame
        retime(new)
        findNextFrame()
    }

    /// Changes the timing of a clock that stands.
    @_noLocks @_noAllocation
    mutating func retime(_ new: StepTiming) {
        let present = step
        timing = new
        if present != step { origin = songStep - Int64(present % new.length) }
    }

    /// The song step whose start is nearest to a song position, of two equally near the later.
    @_noLocks @_noAllocation
    func nearestSongStep(to position: Double) -> Int64 {
        var nearest = floor(position) - 1
        for candidate in nearest + 1...nearest + 3
        where abs(onset(candidate) - position) <= abs(onset(nearest) - position) {
            nearest = candidate
        }
        return nearest
    }

    /// How often the pattern had begun before a song step; counted from anywhere.
    @_noLocks @_noAllocation
    func pass(of songStep: Int64) -> Int64 {
        let distance = songStep - origin
        let length = Int64(timing.length)
        return distance >= 0 ? distance / length : (distance + 1) / length - 1
    }

    /// The pattern's step that a song step is.
    @_noLocks @_noAllocation
    func step(of songStep: Int64) -> Int {
        let rest = (songStep - origin) % Int64(timing.length)
        return Int(rest < 0 ? rest + Int64(timing.length) : rest)
    }

    /// The song position at which a song step starts.
    @_noLocks @_noAllocation
    private func onset(_ songStep: Int64) -> Double {
        let isOdd = step(of: songStep) & 1 == 1
        return Double(songStep) + (isOdd ? 2 * timing.swing - 1 : 0)
    }

    @_noLocks @_noAllocation
    private mutating func findNextFrame() {
        let distance = (onset(nextSongStep) - anchorPosition) * timing.stepFrames
        nextFrame = anchorFrame + max(0, Int64(distance + 0.5))
    }
}
