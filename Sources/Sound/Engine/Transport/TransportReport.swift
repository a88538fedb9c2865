import Instrument
import Music

/// The transport's state at a frame, published once a cycle for displays and followers.
public struct TransportReport: Sendable, BitwiseCopyable {
    /// The source that is followed.
    public var following = SyncSource.own
    /// Whether JACK's timebase is ours.
    public var leadsJack = false
    /// Whether our clock is sent at the MIDI clock output.
    public var leadsMidi = false
    /// Whether the music plays but waits for a Start.
    public var isWaiting = false
    /// Whether the music runs.
    public var state = PlayState.stopped
    /// The tempo that plays, without corrections.
    public var bpm = 120.0
    /// Whether the music is in step with the source within 1 ms.
    public var isLocked = true
    /// The song position in sixteenths at ``usecs``.
    public var position = 0.0
    /// JACK's time in µs.
    public var usecs: UInt64 = 0
    /// Whether a second MIDI clock ticks, which is not followed.
    public var hasSecondClock = false
    /// How often a source was lost since the start.
    public var lossCount: UInt32 = 0
    /// The tempo kept at the last loss, 20 to 300; it becomes the document's unless another was set since.
    public var keptBpm = 120.0
    /// ``Score/tempoRevision`` at the last loss.
    public var keptRevision = 0
    /// Each track's newest launch, in case there was no room for its notice.
    public var launches: PerTrack<DoneLaunch> = PerTrack(repeating: DoneLaunch())
}

extension Transport {
    /// The state at the first frame after a cycle.
    func report(at frame: Int64, after cycle: RtCycle) -> TransportReport {
        var report = TransportReport()
        report.leadsJack = outside.isOurs
        // We do not follow our own timebase, unless the settings say so.
        if state.source != .jack || !outside.isOurs || settings.sync.source == .jack { report.following = state.source }
        report.state = state.playState
        report.bpm = bpm
        report.leadsMidi = settings.sync.leadsMidi
        report.isWaiting = state.isWaiting
        report.position = position(at: frame, after: cycle)
        report.usecs = cycle.usecs(at: cycle.frameCount)
        report.isLocked = isLocked(at: frame)
        report.hasSecondClock = midi.hasSecondClock(at: frame)
        report.lossCount = losses.count
        report.keptBpm = losses.bpm
        report.keptRevision = losses.tempoRevision
        return report
    }

    private func isLocked(at frame: Int64) -> Bool {
        let isNear = !isPlaying || lastLead * 15 / bpm < 0.001
        switch state.source {
        case .own, .automatic: return true
        case .midi: return isNear && midi.isPresent(at: frame) && !isAlone
        case .jack, .timeline: return isNear
        }
    }

    private func position(at frame: Int64, after cycle: RtCycle) -> Double {
        if runs { return clock.position(at: frame) }
        guard state.source == .timeline else { return Double(clock.songStep) }
        let frames = Int64(cycle.frameCount)
        return heard(course.later(by: frames, stepFrames: settings.stepFrames(bpm: course.bpm))).position
    }
}
