/// What an outside source says with a frame.
struct Course: BitwiseCopyable {
    /// Whether the music is to run.
    var isRunning: Bool
    /// The song position.
    var position: Double
    /// How much further the music may be than told, in steps.
    var slack: Double
    /// The tempo.
    var bpm: Double
    /// Whether the source jumped since it was last asked.
    var isRelocated: Bool

    @_noLocks @_noAllocation
    init(isRunning: Bool, position: Double, slack: Double = 0, bpm: Double, isRelocated: Bool = false) {
        self.isRunning = isRunning
        self.position = position
        self.slack = slack
        self.bpm = bpm
        self.isRelocated = isRelocated
    }

    /// What the source says so many frames later, if it goes on like this.
    @_noLocks @_noAllocation
    func later(by frames: Int64, stepFrames: Double) -> Course {
        var later = self
        later.position += Double(frames) / stepFrames
        return later
    }

    /// How far a song position is behind, in steps; negative when it is ahead, 0 within the slack.
    @_noLocks @_noAllocation
    func lead(over position: Double) -> Double {
        let lead = self.position - position
        if lead > 0 { return lead }
        return lead + slack < 0 ? lead + slack : 0
    }
}
