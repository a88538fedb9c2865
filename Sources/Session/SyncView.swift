import Engine
import Gestures
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

/// The clock's following and leading, as far as the session knows; and the timeline that a client holds.
final class SyncView {
    /// How often a tempo that wanders is shown.
    private static let interval: Duration = .milliseconds(250)

    private(set) var status: SyncStatus
    /// The beats of what is followed, nil while nothing is or nothing plays.
    private(set) var beat: Beat?
    private var report: TransportReport?
    /// Whether the clock could do something that nobody asked it for when the document was last published.
    private var couldBeMoved = false
    private var knownLosses: UInt32 = 0
    private var shownAt = Duration.zero - interval
    private var held: HeldTimeline?
    /// How many clients have held a timeline.
    private var holderCount = 0
    /// The clients that listen to what players ask for.
    private var requestListeners: Set<ClientID> = []
    private let link: AudioLink
    private let edited: EditedDocument
    private let tooltips: Tooltips
    private let outbox: Outbox

    init(_ link: AudioLink, _ edited: EditedDocument, _ tooltips: Tooltips, _ outbox: Outbox) {
        self.link = link
        self.edited = edited
        self.tooltips = tooltips
        self.outbox = outbox
        status = SyncStatus(bpm: edited.document.pattern.tempo.bpm)
    }

    // MARK: Whose the tempo and the position are

    /// Whether we ask to be JACK's timebase master. While we follow somebody's clock the timebase is left to others.
    var wantsTimebase: Bool {
        leads.contains(.jack) && edited.document.syncSource != .midi && status.following != .midi && !followsTimeline
    }

    /// The source that has the tempo in our place, nil while it is ours, or may be asked for.
    var tempoSource: SyncSource? {
        if followsTimeline { return asksHolder ? nil : .timeline }
        if status.leading.contains(.jack) { return nil }
        return positionSource
    }

    /// The source that has the position in our place, nil while it is ours.
    var positionSource: SyncSource? { namedSource ?? followed }

    /// What is followed, by all that is known: a timeline is no more as soon as nobody holds it.
    private var followed: SyncSource? {
        status.following == .timeline && held == nil ? nil : status.following
    }

    /// The source that is followed whether it is present or not; of timelines, the one that there is.
    private var namedSource: SyncSource? {
        switch source {
        case .own, .automatic: nil
        case .jack, .midi: source
        case .timeline: held == nil ? nil : .timeline
        }
    }

    /// The document as gestures see it: with the tempo that plays, where that may be asked to change.
    var offeredDocument: Document {
        guard asksHolder, let tempo = Tempo(bpm: status.bpm) else { return edited.document }
        var document = edited.document
        _ = document.apply(.set(.tempo, to: .number(tempo.bpm)))
        return document
    }

    /// Whether starts and stops are JACK's transport's, so that what we ask for has not happened yet.
    var isTransportShared: Bool { positionSource != nil || status.leading.contains(.jack) }

    /// Whether it is JACK that carries out what we ask for.
    var asksJack: Bool { positionSource == .jack || status.leading.contains(.jack) }

    /// Whether the clock may do something that nobody asked it for.
    var mayBeMoved: Bool { link.isRunning && (source != .own || !leads.isEmpty) }

    /// What is set to be followed. Without JACK there is no transport of JACK's: the setting stays, and means our own.
    private var source: SyncSource {
        link.driver == .own && edited.document.syncSource == .jack ? .own : edited.document.syncSource
    }

    /// Who is to hear our tempo and position; without JACK, nobody does by way of its transport.
    private var leads: [SyncLead] {
        SyncLead.allCases.filter { edited.document.leads($0) && !(link.driver == .own && $0 == .jack) }
    }

    // MARK: What the clock reports

    /// The newest report, nil before anything has been rendered.
    func newestReport() -> TransportReport? {
        if let new = link.engine.takeReport() { report = new }
        return report
    }

    /// Whether the music plays, but stands until an outside clock starts.
    var awaitsStart: Bool { mayBeMoved && newestReport()?.isWaiting == true }

    func playingMoment() -> PlayingMoment? {
        guard let report = newestReport() else { return nil }
        let latency = link.listening.timing.latency.wholeMicroseconds
        return PlayingMoment(
            beat: report.position / 4, usecs: report.usecs + latency, bpm: report.bpm,
            isPlaying: report.state == .playing)
    }

    /// When a source was lost the music goes on alone; the tempo that it had is ours from now on, unless another was set since.
    /// A loss counts also when the settings, which may be newer, name no source.
    ///
    /// - Returns: Whether the document is another one now.
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
        var new = SyncStatus(bpm: (report.bpm * 100).rounded() / 100)
        new.following = report.following.source
        new.leading = (report.leadsJack ? [.jack] : []) + (report.leadsMidi ? [.midi] : [])
        new.isLocked = report.isLocked
        show(beat(of: report))
        show(new, at: now)
    }

    /// Listens to the clock while it may be moved, and once more after that; then shows what the settings say.
    func settle(at now: Duration) {
        if mayBeMoved || couldBeMoved { link.listening.expectNotices(from: now) }
        couldBeMoved = mayBeMoved
        let alone = SyncStatus(bpm: edited.document.pattern.tempo.bpm)
        guard !mayBeMoved, status != alone else { return }
        status = alone
        beat = nil
        outbox.stateChanged()
    }

    /// A tempo that wanders is shown now and then, anything else at once.
    private func show(_ new: SyncStatus, at now: Duration) {
        guard new != status else { return }
        var withoutTempo = new
        withoutTempo.bpm = status.bpm
        guard withoutTempo != status || now - shownAt >= Self.interval else { return }
        shownAt = now
        status = new
        outbox.stateChanged()
    }

    /// The beats that the tempo's pixel shows while somebody else gives them.
    private func beat(of report: TransportReport) -> Beat? {
        guard report.following != .own, report.state == .playing, !report.isWaiting else {
            return report.isWaiting ? .waiting : nil
        }
        let timing = link.listening.timing
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

    // MARK: The timeline that a client holds

    func hold(_ timeline: ClientTimeline, by client: ClientID, named name: String, at now: Duration)
        throws(CommandError)
    {
        try checkHolder(client)
        let before = held
        if before == nil { holderCount += 1 }
        let new = HeldTimeline(
            timeline, by: client, named: name, number: holderCount, after: before, at: driverTime(at: now))
        held = new
        publishTimeline(at: now)
        if before?.standing != new.standing { outbox.stateChanged() }
    }

    func release(by client: ClientID, at now: Duration) throws(CommandError) {
        try checkHolder(client)
        drop(of: client, at: now)
    }

    private func checkHolder(_ client: ClientID) throws(CommandError) {
        if let held, held.client != client { throw .timelineHeld(by: held.name) }
    }

    /// Forgets a client's timeline, if it holds one.
    func drop(of client: ClientID, at now: Duration) {
        guard held?.client == client else { return }
        held = nil
        publishTimeline(at: now)
        outbox.stateChanged()
    }

    func setRequestListeners(_ clients: Set<ClientID>) { requestListeners = clients }

    /// Who holds the timeline and how it goes, nil when nobody does.
    var standing: TimelineStanding? { held?.standing }

    /// Whether the timeline drives the music.
    private var followsTimeline: Bool {
        held != nil && (edited.document.syncSource == .timeline || status.following == .timeline)
    }

    /// Whether the holder of the timeline that drives the music listens to requests.
    var asksHolder: Bool {
        guard followsTimeline, let held else { return false }
        return requestListeners.contains(held.client)
    }

    /// Passes a player's wish on to the holder of the timeline.
    func ask(_ request: TimelineRequest) {
        guard asksHolder, let held else { return }
        outbox.emit(.request(held.client, request))
    }

    /// The driver's clock, by which the timeline is published, relates otherwise to ours.
    func timingChanged(at now: Duration) {
        if held != nil { publishTimeline(at: now) }
    }

    /// Publishes the timeline, or that nobody holds one any more, to the engine.
    private func publishTimeline(at now: Duration) {
        let timeline = held?.played(latency: link.listening.timing.latency)
        link.engine.follow(timeline, tempoRevision: edited.tempoRevision)
        if held == nil || mayBeMoved { link.listening.expectNotices(from: now) }
    }

    /// JACK's time in µs.
    private func driverTime(at now: Duration) -> Int64 {
        Int64((now - link.listening.timing.offset) / .microseconds(1))
    }
}

extension Session {
    /// What tempo and position follow, and who is given ours.
    public var sync: SyncStatus { syncView.status }

    /// Whether we ask to be JACK's timebase master.
    public var wantsTimebase: Bool { syncView.wantsTimebase }

    /// What plays now, nil before anything has been rendered.
    public func playingMoment() -> PlayingMoment? { syncView.playingMoment() }

    /// Who holds the timeline and how it goes, nil when nobody does.
    public var timelineStanding: TimelineStanding? { syncView.standing }

    /// Sets a client's timeline, which is followed if the settings say so. One client at a time holds one.
    ///
    /// - Parameter name: What others see who holds it.
    /// - Throws: ``CommandError/timelineHeld(by:)`` for every other client.
    public func hold(_ timeline: ClientTimeline, by client: ClientID, named name: String, at now: Duration)
        throws(CommandError)
    {
        try syncView.hold(timeline, by: client, named: name, at: now)
    }

    /// Gives a client's timeline back; nothing happens when nobody holds one.
    ///
    /// - Throws: ``CommandError/timelineHeld(by:)`` when another client holds it.
    public func releaseTimeline(of client: ClientID, at now: Duration) throws(CommandError) {
        try syncView.release(by: client, at: now)
    }

    /// Sets which clients listen to requests, should they hold the timeline.
    public func setRequestListeners(_ clients: Set<ClientID>) { syncView.setRequestListeners(clients) }
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
