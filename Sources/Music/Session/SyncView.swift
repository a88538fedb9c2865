import Engine
import Gestures
import Grid
import Instrument
import Music
import Rendering

/// What the clock follows and leads, as far as the session knows.
final class SyncView {
    /// How often a varying tempo is shown.
    private static let interval: Duration = .milliseconds(250)

    /// What the clock follows and leads, without the timeline's holder.
    private var clock: SyncState
    /// The beats of the source that is followed, nil without one or while nothing plays.
    private(set) var beat: Beat?
    private var report: TransportReport?
    /// The value of ``mayBeMoved`` when the document was last published.
    private var couldBeMoved = false
    private var knownLosses: UInt32 = 0
    private var shownAt = Duration.zero - interval
    private let timeline: SharedTimeline
    private let link: AudioLink
    private let edited: EditedDocument
    private let tooltips: Tooltips
    private let outbox: Outbox

    init(
        _ link: AudioLink, _ edited: EditedDocument, _ timeline: SharedTimeline, _ tooltips: Tooltips, _ outbox: Outbox
    ) {
        self.timeline = timeline
        self.link = link
        self.edited = edited
        self.tooltips = tooltips
        self.outbox = outbox
        clock = SyncState(bpm: edited.document.pattern.bpm)
    }

    /// The source of tempo and position, where ours are published, and the holder of the timeline.
    var status: SyncState {
        var status = clock
        (status.holder, status.holderBpm, status.peers) = (timeline.holder, timeline.bpm, timeline.peers)
        return status
    }

    /// The tempo that plays.
    var bpm: Double { clock.bpm }

    // MARK: Sources of tempo and position

    /// Whether we ask to be JACK's timebase master. While we follow another clock the timebase is left to others.
    var wantsTimebase: Bool {
        leads.contains(.jack) && edited.document.syncSource != .midi && clock.following != .midi && !followsTimeline
    }

    /// The source that determines the tempo, nil while it is our own or can be requested.
    var tempoSource: SyncSource? {
        if followsTimeline { return asksHolder ? nil : .timeline }
        if clock.leading.contains(.jack) { return nil }
        return positionSource
    }

    /// The source that determines the position, nil while it is our own.
    var positionSource: SyncSource? { namedSource ?? followed }

    /// The source that is followed; a timeline only while it has a holder.
    private var followed: SyncSource? {
        switch clock.following {
        case .own, .automatic: nil
        case .jack, .midi: clock.following
        case .timeline: timeline.isHeld ? .timeline : nil
        }
    }

    /// The source that the settings name, present or not, except a missing timeline.
    private var namedSource: SyncSource? {
        switch source {
        case .own, .automatic: nil
        case .jack, .midi: source
        case .timeline: timeline.isHeld ? .timeline : nil
        }
    }

    /// The document as gestures see it: with the tempo that plays, where we may ask for another.
    var offeredDocument: Document {
        guard asksHolder, let tempo = Parameter.tempo.row.kind().checked(.number(clock.bpm)) else {
            return edited.document
        }
        var document = edited.document
        _ = document.apply(.set(.tempo, to: tempo))
        return document
    }

    /// Whether another clock, or JACK's transport, decides starts and stops, so that requests do not take effect at
    /// once.
    var isTransportShared: Bool { positionSource != nil || clock.leading.contains(.jack) }

    /// Whether JACK carries out our requests.
    var asksJack: Bool { positionSource == .jack || clock.leading.contains(.jack) }

    /// Whether the timeline drives the music.
    private var followsTimeline: Bool {
        timeline.isHeld && (edited.document.syncSource == .timeline || clock.following == .timeline)
    }

    /// Whether the holder of the timeline that drives the music listens to requests.
    var asksHolder: Bool { followsTimeline && timeline.holderListens }

    /// Passes a player's request to the timeline's holder, if the timeline drives the music.
    func ask(_ request: TimelineRequest) {
        if asksHolder { timeline.ask(request) }
    }

    /// Whether something outside may move the clock.
    var mayBeMoved: Bool { link.mayBeMoved(by: edited.document) }

    private var source: SyncSource { link.source(wantedBy: edited.document) }
    private var leads: [SyncLead] { link.leads(wantedBy: edited.document) }

    // MARK: Reports of the clock

    /// The newest report, nil before anything has been rendered.
    func newestReport() -> TransportReport? {
        if let new = link.engine.fetchReport() { report = new }
        return report
    }

    /// Whether the music plays but waits for an outside clock to start.
    var awaitsStart: Bool { mayBeMoved && newestReport()?.isWaiting == true }

    /// The music's position at the end of the last rendered period.
    var playingMoment: TimelineState {
        let quantum = edited.document.number(.syncQuantum)
        guard let report = newestReport() else {
            return TimelineState(beat: 0, usecs: 0, bpm: clock.bpm, playing: false, quantum: quantum)
        }
        let latency = link.poller.timing.latency.wholeMicroseconds
        return TimelineState(
            beat: report.position / 4, usecs: Int(clamping: report.usecs + latency), bpm: report.bpm,
            playing: report.state == .playing, quantum: quantum)
    }

    /// When a source was lost the music continues alone and keeps the source's tempo, unless another was set since. A
    /// loss counts even if the settings, which may be newer, name no source.
    ///
    /// - Returns: Whether the document changed.
    func settleLoss(in report: TransportReport, at now: Duration) -> Bool {
        guard report.lossCount != knownLosses else { return false }
        knownLosses = report.lossCount
        tooltips.show(Tooltip(text: "SYNC LOST", row: Layout.trackRows.lowerBound), at: now)
        guard report.keptRevision >= edited.tempoRevision else { return false }
        edited.make([.set(.tempo, to: .number(report.keptBpm))])
        return true
    }

    /// Shows what the clock follows and leads.
    func follow(_ report: TransportReport, at now: Duration) {
        guard mayBeMoved else { return }
        show(beat(of: report))
        let leading: [SyncLead] = (report.leadsJack ? [.jack] : []) + (report.leadsMidi ? [.midi] : [])
        show(
            SyncState(
                following: report.following, leading: leading, bpm: (report.bpm * 100).rounded() / 100,
                locked: report.isLocked, hasSecondClock: report.hasSecondClock), at: now)
    }

    /// Polls the clock while it may be moved, and once more after that; then shows the settings.
    func settle(at now: Duration) {
        if mayBeMoved || couldBeMoved { link.poller.expectNotices(from: now) }
        couldBeMoved = mayBeMoved
        let alone = SyncState(bpm: edited.document.pattern.bpm)
        guard !mayBeMoved, clock != alone else { return }
        clock = alone
        beat = nil
        outbox.stateChanged()
    }

    /// Shows a change of tempo alone only at intervals, anything else at once.
    private func show(_ new: SyncState, at now: Duration) {
        guard new != clock else { return }
        var withoutTempo = new
        withoutTempo.bpm = clock.bpm
        guard withoutTempo != clock || now - shownAt >= Self.interval else { return }
        shownAt = now
        clock = new
        outbox.stateChanged()
    }

    /// The beats of an outside source, which the tempo's pixel shows.
    private func beat(of report: TransportReport) -> Beat? {
        guard report.following != .own, report.state == .playing, !report.isWaiting else {
            return report.isWaiting ? .waiting : nil
        }
        let timing = link.poller.timing
        let length = Duration.seconds(60 / report.bpm)
        let heard = .microseconds(Int64(clamping: report.usecs)) + timing.offset + timing.latency
        let phase = report.position / 4 - (report.position / 4).rounded(.down)
        return Beat(startedAt: heard - length * phase, length: length)
    }

    private func show(_ beat: Beat?) {
        guard self.beat != beat else { return }
        self.beat = beat
        outbox.sceneChanged()
    }
}

extension Session {
    /// The source of tempo and position, where ours are published, and the holder of the timeline.
    public var sync: SyncState { syncView.status }

    /// Whether we ask to be JACK's timebase master.
    public var wantsTimebase: Bool { syncView.wantsTimebase }

    /// The music's position at the end of the last rendered period.
    public var playingMoment: TimelineState { syncView.playingMoment }
}

extension Beat {
    /// The blinking while the music waits for a start.
    fileprivate static let waiting = Beat(startedAt: .zero, length: .milliseconds(500))
}
