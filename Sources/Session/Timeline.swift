import Engine
import Grid

/// A timeline as a client sends it: in the times at which it is heard.
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
    /// Others whose time it is too; nil if that is not known.
    public var peers: Int?

    /// A timeline.
    public init(
        beat: Double, usecs: Int64, bpm: Double, isPlaying: Bool? = nil, playingUsecs: Int64? = nil,
        quantum: Double? = nil, peers: Int? = nil
    ) {
        self.beat = beat
        self.usecs = usecs
        self.bpm = bpm
        self.isPlaying = isPlaying
        self.playingUsecs = playingUsecs
        self.quantum = quantum
        self.peers = peers
    }
}

/// What others see of a timeline that a client holds.
public struct TimelineStanding: Equatable, Sendable {
    /// The client's name.
    public let holder: String
    /// Beats per minute, in hundredths: clocks that are compared again and again are never quite the same.
    public let bpm: Double
    /// See ``ClientTimeline/peers``.
    public let peers: Int?
}

/// The timeline that a client holds.
struct HeldTimeline {
    let client: ClientID
    let name: String
    private let timeline: ClientTimeline
    /// When the newest start or stop holds, in µs of JACK's time.
    private let playingUsecs: Int64
    /// See ``Engine/Timeline/holder``.
    private let number: Int
    /// See ``Engine/Timeline/orderCount``.
    private let orderCount: Int

    /// A start or stop that is repeated comes with its time of then, but for how clocks drift within a second or so.
    private static let tolerance: Int64 = 10_000

    /// A client's timeline, after the one before if that was its own.
    ///
    /// - Parameters:
    ///   - number: Counts who holds one.
    ///   - usecs: JACK's time now in µs.
    init(
        _ timeline: ClientTimeline, by client: ClientID, named name: String, number: Int, after earlier: HeldTimeline?,
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

    /// What others see of it.
    var standing: TimelineStanding {
        TimelineStanding(holder: name, bpm: (timeline.bpm * 100).rounded() / 100, peers: timeline.peers)
    }

    /// What the engine follows: in times at which frames are played, not heard.
    func played(latency: Duration) -> Timeline {
        let latency = Int64(latency.wholeMicroseconds)
        return Timeline(
            beat: timeline.beat, usecs: timeline.usecs - latency, bpm: timeline.bpm, isPlaying: timeline.isPlaying,
            playingUsecs: playingUsecs - latency, orderCount: orderCount, holder: number, quantum: timeline.quantum)
    }
}
