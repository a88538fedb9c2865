/// Whether the engine rests: from when it has had nothing to do for a second, in which every ramp has reached its end, until
/// something comes. A cycle of rest is silence, and only its frames count. Other programs take the caches between two periods,
/// so each function that is not called saves more than its instructions.
struct Rest: BitwiseCopyable {
    /// How long there has been nothing to do, in frames.
    private var frameCount = 0
    private let second: Int
    /// The transport that is not followed, and what was reported of ours, in the last cycle.
    private var outside = OutsidePosition()
    private var report = TransportReport()

    init(sampleRate: Double) { second = frames(1, sampleRate: sampleRate) }

    var isReached: Bool { frameCount >= second }

    /// Whether JACK's transport stands where it stood in the last cycle, and nobody publishes a bar.
    func isUndisturbed(by outside: OutsidePosition) -> Bool {
        !outside.isRolling && !outside.isOurs && outside.bar == nil && outside.frame == self.outside.frame
    }

    /// Ends; something has come.
    mutating func end() { frameCount = 0 }

    /// A cycle that was rendered as music is over.
    ///
    /// - Parameter isIdle: Whether there was nothing to do in it but to let changes come to their ends.
    mutating func pass(_ cycle: RtCycle, _ report: TransportReport, isIdle: Bool) {
        let isQuiet = isIdle && isUndisturbed(by: cycle.outside)
        frameCount = isQuiet ? min(frameCount + cycle.frameCount, second) : 0
        outside = cycle.outside
        self.report = report
    }

    /// What a cycle of rest has to report: that time has passed.
    func report(after cycle: RtCycle) -> TransportReport {
        var report = report
        report.usecs = cycle.usecs(at: cycle.frameCount)
        return report
    }
}

extension Synth {
    /// Whether a cycle that has been rendered had nothing to do, so that without news the next has nothing to do either.
    var isIdle: Bool {
        part == .whole && sounding.isEmpty && mixer.effects.isResting && voices.sender.isIdle && controllers.isIdle
            && sequencer.isIdle
    }
}

extension Exchange {
    /// Whether the control thread has published or sent anything that was not read yet.
    var hasNews: Bool { commands.count > 0 || scores.hasNews || timelines.hasNews || samples.hasNews }

    /// Whether somebody wants to see or hear what is rendered.
    var isWatched: Bool { scope.isWanted || blocks.isWanted }
}

extension Sequencer {
    fileprivate var isIdle: Bool { starts.first == nil && clockMessages.isEmpty && transport.isIdle }

    /// Lets a cycle of rest pass.
    mutating func rest(through cycle: RtCycle) {
        advance(cycle.frameCount)
        transport.jack.rest(through: cycle)
    }
}

extension Transport {
    /// Whether it stands, and nothing but a message can move it.
    fileprivate var isIdle: Bool {
        guard case .own = state, !isPlaying else { return false }
        return sender.isOff && takeover == nil && !timeline.isPresent
    }
}
