/// How fast steps follow each other.
struct StepTiming: Equatable, BitwiseCopyable {
    /// Nominal length of a step in frames.
    var stepFrames: Double
    /// Where an odd step lies between its even neighbours, 0.5 to 0.75.
    var swing: Double
    /// Steps in the loop.
    var length: Int

    @_noLocks @_noAllocation
    init(bpm: Double, swing: Double, length: Int, sampleRate: Double) {
        stepFrames = sampleRate * 60 / bpm / 4
        self.swing = swing
        self.length = length
    }

    /// Written out, as the compiler's own promises nothing to the process callback.
    @_noLocks @_noAllocation
    static func == (left: StepTiming, right: StepTiming) -> Bool {
        left.stepFrames == right.stepFrames && left.swing == right.swing && left.length == right.length
    }

    /// When a step starts, in nominal steps since the loop's first start; steps are counted on through all loops.
    @_noLocks @_noAllocation
    func onset(_ count: Int64) -> Double {
        let isOdd = (count % Int64(length)) & 1 == 1
        return Double(count) + (isOdd ? 2 * swing - 1 : 0)
    }
}

/// The step clock: on which frame which step starts.
///
/// Steps are computed from an anchor, a frame whose place in the music is known, and never from the step before, so
/// nothing adds up. A change of timing sets a new anchor. Any source of tempo and position can drive it: it only ever
/// hears a timing and where to start.
struct StepClock: BitwiseCopyable {
    private(set) var timing: StepTiming
    private var anchorFrame: Int64 = 0
    /// The anchor's place in nominal steps since the loop's first start.
    private var anchorPosition = 0.0
    /// The step to start next, counted on through all loops since the loop's first start.
    private var nextCount: Int64 = 0
    /// The frame on which that step starts.
    private(set) var nextFrame: Int64 = 0

    /// A clock whose step 0 starts on frame 0.
    @_noLocks @_noAllocation
    init(_ timing: StepTiming) {
        self.timing = timing
    }

    /// The step to start next, 0 ..< length.
    var nextStep: Int {
        @_noLocks @_noAllocation get { Int(nextCount % Int64(timing.length)) }
    }

    /// Lets a step start on a frame.
    @_noLocks @_noAllocation
    mutating func start(at step: Int, frame: Int64) {
        nextCount = Int64(step % timing.length)
        anchorFrame = frame
        anchorPosition = timing.onset(nextCount)
        nextFrame = frame
    }

    /// Goes on to the step after the one that starts now.
    @_noLocks @_noAllocation
    mutating func advance() {
        nextCount += 1
        findNextFrame()
    }

    /// Changes the timing with a frame, while a step is in progress: the step goes on from the same part of it, and is
    /// counted modulo the new length.
    @_noLocks @_noAllocation
    mutating func retime(_ new: StepTiming, at frame: Int64) {
        let present = nextCount - 1
        let position = anchorPosition + Double(frame - anchorFrame) / timing.stepFrames
        let start = timing.onset(present)
        let part = (position - start) / (timing.onset(nextCount) - start)

        let moved = present % Int64(timing.length) % Int64(new.length)
        timing = new
        anchorFrame = frame
        anchorPosition = new.onset(moved) + part * (new.onset(moved + 1) - new.onset(moved))
        nextCount = moved + 1
        findNextFrame()
    }

    @_noLocks @_noAllocation
    private mutating func findNextFrame() {
        let distance = (timing.onset(nextCount) - anchorPosition) * timing.stepFrames
        nextFrame = anchorFrame + max(0, Int64(distance + 0.5))
    }
}
