import Engine
import Grid
import Music

/// A timeline as a client tells it: in the times at which it is heard.
public struct ClientTimeline: Equatable, Sendable {
    /// The song position in beats that is heard at ``usecs``.
    public var beat: Double
    /// JACK's time in µs.
    public var usecs: Int64
    /// Beats per minute.
    public var bpm: Double
    /// Whether the music is to run; nil leaves that to players.
    public var isPlaying: Bool?
    /// From when on ``isPlaying`` holds, in µs of JACK's time; nil for now.
    public var playingUsecs: Int64?
    /// Beats on a multiple of which players join; nil leaves that to the settings.
    public var quantum: Double?

    /// A timeline.
    public init(
        beat: Double, usecs: Int64, bpm: Double, isPlaying: Bool? = nil, playingUsecs: Int64? = nil,
        quantum: Double? = nil
    ) {
        self.beat = beat
        self.usecs = usecs
        self.bpm = bpm
        self.isPlaying = isPlaying
        self.playingUsecs = playingUsecs
        self.quantum = quantum
    }
}

/// What players ask of the client whose timeline is followed; it may do so or not.
public enum TimelineRequest: Equatable, Sendable {
    /// Another tempo in beats per minute.
    case tempo(Double)
    case play
    case stop
}

/// The timeline that a client holds.
struct HeldTimeline {
    let client: ClientID
    var name: String
    var timeline: ClientTimeline
    /// See ``Engine/Timeline/orderCount``.
    var orderCount = 0

    /// A start or stop that was told again comes with its time of then, but for how clocks drift within a second or so.
    private static let tolerance: Int64 = 10_000

    /// Whether the newest start or stop is another one than in a timeline before.
    func isOrder(after earlier: ClientTimeline) -> Bool {
        guard timeline.isPlaying == earlier.isPlaying else { return true }
        guard let usecs = timeline.playingUsecs, let earlier = earlier.playingUsecs else { return false }
        return abs(usecs - earlier) > HeldTimeline.tolerance
    }
}

extension Session {
    /// Takes a client's timeline, which is followed if the settings say so. One client at a time holds one.
    ///
    /// - Parameter name: What others are told who holds it.
    /// - Throws: ``CommandError/timelineHeld(by:)`` for every other client.
    public func hold(_ timeline: ClientTimeline, by client: ClientID, named name: String, at now: Duration)
        throws(CommandError)
    {
        try checkHolder(client)
        var timeline = timeline
        let sameAsBefore = timelineHeld?.timeline.isPlaying == timeline.isPlaying
        timeline.playingUsecs = timeline.playingUsecs ?? (sameAsBefore ? timelineHeld?.timeline.playingUsecs : nil)
        timeline.playingUsecs = timeline.playingUsecs ?? driverTime(at: now)
        let before = timelineHeld
        var held = HeldTimeline(client: client, name: name, timeline: timeline, orderCount: before?.orderCount ?? 0)
        if let before, held.isOrder(after: before.timeline) { held.orderCount += 1 }
        timelineHeld = held
        publishTimeline(at: now)
        if before?.name != name { stateChanged() }
    }

    /// Gives a client's timeline back; nothing happens when nobody holds one.
    ///
    /// - Throws: ``CommandError/timelineHeld(by:)`` when another client holds it.
    public func releaseTimeline(of client: ClientID, at now: Duration) throws(CommandError) {
        try checkHolder(client)
        dropTimeline(of: client, at: now)
    }

    private func checkHolder(_ client: ClientID) throws(CommandError) {
        if let timelineHeld, timelineHeld.client != client { throw .timelineHeld(by: timelineHeld.name) }
    }

    /// Forgets a client's timeline, if it holds one.
    func dropTimeline(of client: ClientID, at now: Duration) {
        guard timelineHeld?.client == client else { return }
        timelineHeld = nil
        publishTimeline(at: now)
        stateChanged()
    }

    /// Tells which clients take requests, should they hold the timeline.
    public func setRequestTakers(_ clients: Set<ClientID>) {
        requestTakers = clients
    }

    /// The name of the client that holds the timeline, nil when nobody does.
    public var timelineHolder: String? { timelineHeld?.name }

    /// Whether the timeline drives the music.
    var followsTimeline: Bool {
        timelineHeld != nil && (document.syncSource == .timeline || sync.following == .timeline)
    }

    /// Whether the holder of the timeline that drives the music takes requests.
    var asksHolder: Bool {
        guard followsTimeline, let timelineHeld else { return false }
        return requestTakers.contains(timelineHeld.client)
    }

    /// Passes a player's wish on to the holder of the timeline.
    func ask(_ request: TimelineRequest) {
        guard asksHolder, let timelineHeld else { return }
        emit(.request(timelineHeld.client, request))
    }

    /// Tells the engine of the timeline: in times at which frames are played, not heard.
    func publishTimeline(at now: Duration) {
        guard let timelineHeld else {
            engine.follow(nil)
            return listening.expectNotices(from: now)
        }
        let timeline = timelineHeld.timeline
        let latency = Int64(listening.timing.latency.wholeMicroseconds)
        engine.follow(
            Timeline(
                beat: timeline.beat, usecs: timeline.usecs - latency, bpm: timeline.bpm,
                isPlaying: timeline.isPlaying, playingUsecs: (timeline.playingUsecs ?? 0) - latency,
                orderCount: timelineHeld.orderCount, quantum: timeline.quantum))
        if mayBeMoved { listening.expectNotices(from: now) }
    }

    /// JACK's time in µs.
    private func driverTime(at now: Duration) -> Int64 {
        Int64((now - listening.timing.offset) / .microseconds(1))
    }
}
