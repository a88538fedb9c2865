/// How fast steps follow each other, and how many the pattern has.
struct StepTiming: Equatable, BitwiseCopyable {
    /// Nominal length of a step in frames.
    var stepFrames: Double
    /// Where an odd step lies between its even neighbours, 0.5 to 0.75.
    var swing: Double
    /// Steps in the pattern.
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
}
