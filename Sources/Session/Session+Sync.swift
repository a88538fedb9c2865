import Engine
import Grid
import Music
import Rendering

/// What tempo and position follow, and who is given ours.
public struct SyncStatus: Equatable, Sendable {
    /// What is followed, nil for nothing.
    public var following: SyncSource?
    /// Who is given our tempo and position at present.
    public var leading: [SyncLead]
    /// The tempo that plays in beats per minute, to two decimals.
    public var bpm: Double
    /// Whether the music is where what is followed says.
    public var isLocked: Bool

    /// Follows and leads nobody, at a tempo.
    public init(bpm: Double) {
        following = nil
        leading = []
        self.bpm = bpm
        isLocked = true
    }
}

/// What plays at a moment, for those who want to play along.
public struct PlayingMoment: Equatable, Sendable {
    /// The song position in beats.
    public var beat: Double
    /// JACK's time in µs at which that is heard.
    public var usecs: UInt64
    /// Beats per minute.
    public var bpm: Double
    /// Whether the music runs.
    public var isPlaying: Bool
}

/// What the session knows of the clock's following and leading.
struct SyncMemory {
    /// How often a tempo that wanders is shown.
    private static let interval: Duration = .milliseconds(250)

    /// The newest report.
    var report: TransportReport?
    /// Whether the clock could do something that nobody asked it for when the document was last published.
    fileprivate var couldBeMoved = false
    fileprivate var knownLosses: UInt32 = 0
    fileprivate var shownAt = Duration.zero - interval

    /// Whether a tempo may be shown now.
    fileprivate func mayShow(at now: Duration) -> Bool { now - shownAt >= SyncMemory.interval }
}

extension Session {
    /// Whether we ask to be JACK's timebase master. While we follow somebody's clock the timebase is left to others.
    public var wantsTimebase: Bool {
        document.leads(.jack) && document.syncSource != .midi && sync.following != .midi && !followsTimeline
    }

    /// The source that has the tempo in our place, nil while it is ours, or may be asked for.
    var tempoSource: SyncSource? {
        if followsTimeline { return asksHolder ? nil : .timeline }
        if sync.leading.contains(.jack) { return nil }
        return namedSource ?? sync.following
    }

    /// The source that has the position in our place, nil while it is ours.
    var positionSource: SyncSource? { namedSource ?? sync.following }

    /// The source that is followed whether it is present or not; of timelines, the one that there is.
    private var namedSource: SyncSource? {
        switch document.syncSource {
        case .own, .automatic: nil
        case .jack, .midi: document.syncSource
        case .timeline: timelineHeld == nil ? nil : .timeline
        }
    }

    /// The document as gestures see it: with the tempo that plays, where that may be asked to change.
    var offeredDocument: Document {
        guard asksHolder, let tempo = Tempo(bpm: sync.bpm) else { return document }
        var document = document
        _ = document.apply(.set(.tempo, to: .number(tempo.bpm)))
        return document
    }

    /// Whether starts and stops are JACK's transport's, so that what we ask for has not happened yet.
    var isTransportShared: Bool {
        positionSource != nil || sync.leading.contains(.jack)
    }

    /// Whether the clock may do something that nobody asked it for.
    var mayBeMoved: Bool {
        audio.state == .running && (document.syncSource != .own || !(document[.syncLead].names ?? []).isEmpty)
    }

    /// What the clock told last, nil before anything has been rendered.
    private func newestReport() -> TransportReport? {
        if let report = engine.takeReport() { syncMemory.report = report }
        return syncMemory.report
    }

    /// Whether the music plays, but stands until an outside clock starts.
    var awaitsStart: Bool { mayBeMoved && newestReport()?.isWaiting == true }

    /// What plays now, nil before anything has been rendered.
    public func playingMoment() -> PlayingMoment? {
        guard let report = newestReport() else { return nil }
        let latency = listening.timing.latency.wholeMicroseconds
        return PlayingMoment(
            beat: report.position / 4, usecs: report.usecs + latency, bpm: report.bpm,
            isPlaying: report.state == .playing)
    }

    /// Takes what the clock says of its following and leading.
    func followReport(at now: Duration) {
        guard let report = newestReport() else { return }
        if report.lossCount != syncMemory.knownLosses {
            syncMemory.knownLosses = report.lossCount
            sourceLost(keeping: report.keptBpm, at: now)
        }
        var new = SyncStatus(bpm: (report.bpm * 100).rounded() / 100)
        new.following = report.following.source
        new.leading = (report.leadsJack ? [.jack] : []) + (report.leadsMidi ? [.midi] : [])
        new.isLocked = report.isLocked
        showBeat(of: report)
        show(new, at: now)
    }

    /// Listens to the clock while it may be moved, and once more after that; then shows what the settings say.
    func settleSync(at now: Duration) {
        if mayBeMoved || syncMemory.couldBeMoved { listening.expectNotices(from: now) }
        syncMemory.couldBeMoved = mayBeMoved
        let alone = SyncStatus(bpm: document.pattern.tempo.bpm)
        guard !mayBeMoved, sync != alone else { return }
        sync = alone
        scene.beat = nil
        stateChanged()
    }

    /// A tempo that wanders is shown now and then, anything else at once.
    private func show(_ new: SyncStatus, at now: Duration) {
        guard new != sync else { return }
        var withoutTempo = new
        withoutTempo.bpm = sync.bpm
        guard withoutTempo != sync || syncMemory.mayShow(at: now) else { return }
        syncMemory.shownAt = now
        sync = new
        stateChanged()
    }

    /// The beats that the tempo's pixel shows while somebody else gives them.
    private func showBeat(of report: TransportReport) {
        guard report.following != .own, report.state == .playing, !report.isWaiting else {
            return show(report.isWaiting ? .waiting : nil)
        }
        let length = Duration.seconds(60 / report.bpm)
        let heard = .microseconds(Int64(clamping: report.usecs)) + listening.timing.offset + listening.timing.latency
        let phase = report.position / 4 - (report.position / 4).rounded(.down)
        show(Beat(startedAt: heard - length * phase, length: length))
    }

    private func show(_ beat: Beat?) {
        guard scene.beat != beat else { return }
        scene.beat = beat
        sceneChanged()
    }

    /// The music goes on alone; the tempo that it had is ours from now on.
    private func sourceLost(keeping bpm: Double, at now: Duration) {
        show(Tooltip(text: "SYNC LOST", row: Layout.trackRows.lowerBound), at: now)
        if apply([.set(.tempo, to: .number(bpm))]) { documentChanged(at: now) }
    }
}

extension Beat {
    /// What blinks while the music waits for a start.
    fileprivate static let waiting = Beat(startedAt: .zero, length: .milliseconds(500))
}

extension FollowedSource {
    fileprivate var source: SyncSource? {
        switch self {
        case .own: nil
        case .jack: .jack
        case .midi: .midi
        case .timeline: .timeline
        }
    }
}
