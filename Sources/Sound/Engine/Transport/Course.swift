/// What an outside source reports for a frame.
struct Course: BitwiseCopyable {
    /// Whether the music should run.
    var isRunning: Bool
    /// The song position.
    var position: Double
    /// How far the music may be ahead of the position, in steps.
    var slack = 0.0
    /// The tempo.
    var bpm: Double
    /// Whether the source jumped since it was last read.
    var isRelocated = false
    /// Whether the source starts or continues from here: nothing before this position was played.
    var isBeginning = false

    /// The course this many frames later, if nothing changes.
    func later(by frames: Int64, stepFrames: Double) -> Course {
        var later = self
        later.position += Double(frames) / stepFrames
        later.isBeginning = false
        return later
    }

    /// How many steps the source is ahead of a song position: negative when the position is ahead of the source by more
    /// than the slack, 0 when it is ahead by less.
    func lead(over position: Double) -> Double {
        let lead = self.position - position
        if lead > 0 { return lead }
        return lead + slack < 0 ? lead + slack : 0
    }
}
