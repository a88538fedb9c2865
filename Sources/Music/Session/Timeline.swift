import Engine
import Grid
import Instrument
import Music

/// A timeline, and who holds it.
private struct HeldTimeline {
    let client: ClientID
    let name: String
    let timeline: Timeline
    /// When the newest start or stop takes effect, in µs of JACK's time.
    private let playingUsecs: Int64
    /// The holder's number, counted from 1.
    let number: Int
    /// Counts the holder's starts and stops.
    let orderCount: Int

    /// How far apart, in µs, the times of a repeated start or stop may be: clocks drift in the second or so in between.
    private static let tolerance: Int64 = 10_000

    /// A client's new timeline, given the earlier one if the client already held one.
    ///
    /// - Parameters:
    ///   - number: The holder's number.
    ///   - usecs: JACK's time now in µs.
    init(
        _ timeline: Timeline, by client: ClientID, named name: String, number: Int, after earlier: HeldTimeline?,
        at usecs: Int64
    ) {
        self.client = client
        self.name = name
        self.timeline = timeline
        self.number = number
        guard let earlier else {
            (playingUsecs, orderCount) = (timeline.playingUsecs ?? usecs, 0)
            return
        }
        let isRepeated = earlier.timeline.isPlaying == timeline.isPlaying
        playingUsecs = timeline.playingUsecs ?? (isRepeated ? earlier.playingUsecs : usecs)
        let isOrder = !isRepeated || abs(playingUsecs - earlier.playingUsecs) > Self.tolerance
        orderCount = earlier.orderCount + (isOrder ? 1 : 0)
    }

    /// Beats per minute, rounded to hundredths: repeated comparisons of clocks never agree exactly.
    var bpm: Double { (timeline.bpm * 100).rounded() / 100 }

    /// The timeline for the engine, in times at which frames are played, not heard.
    func played(latency: Duration) -> Timeline {
        let latency = Int64(latency.wholeMicroseconds)
        var played = timeline
        played.usecs -= latency
        played.playingUsecs = playingUsecs - latency
        return played
    }
}

/// The timeline that a client may hold, one client at a time.
final class SharedTimeline {
    private var held: HeldTimeline?
    /// How many clients have held it.
    private var holderCount = 0
    /// The clients that listen to players' requests.
    private var requestListeners: Set<ClientID> = []
    private let link: AudioLink
    private let edited: EditedDocument
    private let outbox: Outbox

    init(_ link: AudioLink, _ edited: EditedDocument, _ outbox: Outbox) {
        self.link = link
        self.edited = edited
        self.outbox = outbox
    }

    var isHeld: Bool { held != nil }
    /// The name of the client that holds it.
    var holder: String? { held?.name }
    var bpm: Double? { held?.bpm }
    var peers: Int? { held?.timeline.peers }

    func hold(_ timeline: Timeline, by client: ClientID, named name: String, at now: Duration)
        throws(CommandError)
    {
        try checkHolder(client)
        if held == nil { holderCount += 1 }
        let before = held
        // JACK's time in µs.
        let usecs = Int64((now - link.poller.timing.offset) / .microseconds(1))
        let new = HeldTimeline(timeline, by: client, named: name, number: holderCount, after: before, at: usecs)
        held = new
        publish(at: now)
        if before == nil || before?.bpm != new.bpm || before?.timeline.peers != timeline.peers || before?.name != name {
            outbox.stateChanged()
        }
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
        publish(at: now)
        outbox.stateChanged()
    }

    /// Publishes the timeline to the engine, or that there is none any more.
    private func publish(at now: Duration) {
        var news = TimelineNews()
        news.timeline = held?.played(latency: link.poller.timing.latency)
        (news.holder, news.orderCount) = (held?.number ?? 0, held?.orderCount ?? 0)
        news.tempoRevision = edited.tempoRevision
        link.follow(news)
        if held == nil || link.mayBeMoved(by: edited.document) { link.poller.expectNotices(from: now) }
    }

    /// Publishes the timeline again when the driver's clock, in which it is published, has shifted against ours.
    func timingChanged(at now: Duration) {
        if held != nil { publish(at: now) }
    }

    func setRequestListeners(_ clients: Set<ClientID>) { requestListeners = clients }

    /// Whether the client that holds it listens to requests.
    var holderListens: Bool { held.map { requestListeners.contains($0.client) } ?? false }

    /// Passes a player's request to the client that holds it.
    func ask(_ request: TimelineRequest) {
        if let held { outbox.emit(.request(held.client, request)) }
    }
}

extension Session {
    /// Sets a client's timeline, which is followed if the settings say so. Only one client at a time can hold one.
    ///
    /// - Parameter name: The holder's name, for others to see.
    /// - Throws: ``CommandError/timelineHeld(by:)`` while another client holds one.
    public func hold(_ timeline: Timeline, by client: ClientID, named name: String, at now: Duration)
        throws(CommandError)
    {
        try self.timeline.hold(timeline, by: client, named: name, at: now)
    }

    /// Releases a client's timeline; does nothing if there is none.
    ///
    /// - Throws: ``CommandError/timelineHeld(by:)`` when another client holds it.
    public func releaseTimeline(of client: ClientID, at now: Duration) throws(CommandError) {
        try timeline.release(by: client, at: now)
    }

    /// Sets which clients listen to requests when they hold the timeline.
    public func setRequestListeners(_ clients: Set<ClientID>) { timeline.setRequestListeners(clients) }
}
