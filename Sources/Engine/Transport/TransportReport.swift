/// What the transport does with a frame, published once a cycle: for those who show it, and those who follow us.
public struct TransportReport: Sendable, BitwiseCopyable {
    /// What is followed.
    public var following = FollowedSource.own
    /// Whether JACK's timebase is ours.
    public var leadsJack = false
    /// Whether our clock is sent at the MIDI clock output.
    public var leadsMidi = false
    /// Whether the music plays but waits for a Start.
    public var isWaiting = false
    /// Whether the music runs.
    public var state = RtTransport.stopped
    /// The tempo that plays, without what is taken back of an error.
    public var bpm = 120.0
    /// Whether the music is where what is followed says, within 1 ms.
    public var isLocked = true
    /// The song position in sixteenths with ``usecs``.
    public var position = 0.0
    /// JACK's time in µs.
    public var usecs: UInt64 = 0
    /// How often a source was lost since the start.
    public var lossCount: UInt32 = 0
    /// The tempo that was kept at the last loss, 20 to 300.
    public var keptBpm = 120.0

    @_noLocks @_noAllocation
    init() {}
}

extension Transport {
    /// What it does with a frame, the first one after a cycle.
    @_noLocks @_noAllocation
    func report(at frame: Int64, after cycle: RtCycle) -> TransportReport {
        var report = TransportReport()
        report.leadsJack = outside.isOurs
        // Our own timebase is none that we follow, unless we were told to.
        if !isJack || !outside.isOurs || isToldToFollow { report.following = driver }
        report.state = state
        report.bpm = bpm
        report.leadsMidi = settings.sync.leadsMidi
        report.isWaiting = isWaiting
        report.position = position(at: frame, after: cycle)
        report.usecs = cycle.startUsecs + UInt64(Double(cycle.frameCount) * cycle.usecsPerFrame + 0.5)
        let isFollowing = isOwn || !isPlaying || lastLead * 15 / bpm < 0.001
        report.isLocked = isMidi ? isFollowing && midi.isPresent(at: frame) : isFollowing
        report.lossCount = lossCount
        report.keptBpm = lastKeptBpm
        return report
    }

    @_noLocks @_noAllocation
    private func position(at frame: Int64, after cycle: RtCycle) -> Double {
        if runs { return clock.position(at: frame) }
        guard isTimeline else { return Double(clock.songStep) }
        let frames = Int64(cycle.frameCount)
        return heard(course.later(by: frames, stepFrames: settings.stepFrames(bpm: course.bpm))).position
    }

    private var isJack: Bool {
        @_noLocks @_noAllocation get { if case .jack = driver { true } else { false } }
    }

    private var isToldToFollow: Bool {
        @_noLocks @_noAllocation get { if case .jack = settings.sync.source { true } else { false } }
    }
}
