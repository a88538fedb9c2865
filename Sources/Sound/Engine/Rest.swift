/// Whether the engine rests: from when it has had nothing to do for a second, in which every ramp has ended, until
/// something comes. A resting cycle is silent, and only counts its frames. Between two periods other programs evict our
/// caches, so a function that is not called saves more than its instructions.
struct Rest: BitwiseCopyable {
    /// How long there has been nothing to do, in frames.
    private var frameCount = 0
    private let second: Int
    /// The outside transport, which is not followed, and the report about ours, in the last cycle.
    private var outside = OutsidePosition()
    private var report = TransportReport()

    init(sampleRate: Double) { second = frames(1, sampleRate: sampleRate) }

    var isReached: Bool { frameCount >= second }

    /// Whether JACK's transport is stopped where it was in the last cycle, and its timebase master says the same.
    func isUndisturbed(by outside: OutsidePosition) -> Bool {
        !outside.isRolling && !outside.isOurs && outside == self.outside
    }

    /// Ends the rest, because something has come.
    mutating func end() { frameCount = 0 }

    /// Counts a rendered cycle.
    ///
    /// - Parameter isIdle: Whether there was nothing to do in it but finish earlier changes.
    mutating func pass(_ cycle: RtCycle, _ report: TransportReport, isIdle: Bool) {
        let isQuiet = isIdle && isUndisturbed(by: cycle.outside)
        frameCount = isQuiet ? min(frameCount + cycle.frameCount, second) : 0
        outside = cycle.outside
        self.report = report
    }

    /// A resting cycle's report: only time has passed.
    func report(after cycle: RtCycle) -> TransportReport {
        var report = report
        report.usecs = cycle.usecs(at: cycle.frameCount)
        return report
    }
}

extension Synth {
    /// Whether there was nothing to do in the rendered cycle but for the master, so that without news there is nothing
    /// to do in the next.
    var isIdle: Bool {
        sounding.isEmpty && mixer.isResting && output.voices.sender.isIdle && controllers.isIdle && sequencer.isIdle
    }
}

extension Sequencer {
    fileprivate var isIdle: Bool { starts.first == nil && clockMessages.isEmpty && !owesState && transport.isIdle }

    /// Advances by a resting cycle.
    mutating func rest(through cycle: RtCycle) {
        advance(cycle.frameCount)
        transport.jack.rest(through: cycle)
    }
}

extension Transport {
    /// Whether it is stopped, and only a message can start it.
    fileprivate var isIdle: Bool {
        guard case .own = state, !isPlaying else { return false }
        return sender.isOff && takeover == nil && !timeline.isPresent
    }
}
