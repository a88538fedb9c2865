import Music

/// How fast the steps of the song follow each other, and where they lie.
struct StepTiming: BitwiseCopyable {
    /// Nominal length of a step in frames.
    var stepFrames: Double
    var grid: SongGrid

    init(bpm: Double, swing: Double, loop: Loop, sampleRate: Double) {
        stepFrames = sampleRate * 60 / bpm / 4
        grid = SongGrid(swing: swing, loop: loop)
    }

    /// Whether another timing is the same. Written out, as what the compiler makes promises nothing to the process callback.
    func isSame(as other: StepTiming) -> Bool {
        stepFrames == other.stepFrames && grid.swing == other.grid.swing
            && grid.loop.length == other.grid.loop.length && grid.loop.origin == other.grid.loop.origin
    }
}
