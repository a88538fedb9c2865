import CLinkSession

/// A peer of an Ableton Link session.
///
/// The Link functions used here may be called on any thread.
public final class LinkSession: @unchecked Sendable {
    public struct SessionMoment: Equatable, Sendable {
        /// Link's time in µs.
        public var usecs: Int
        public var beat: Double
        public var bpm: Double
        /// Whether the peers that share starts and stops play.
        public var isPlaying: Bool
        /// The time in µs from which ``isPlaying`` holds; it may lie in the future.
        public var playingUsecs: Int
        /// How many other peers there are.
        public var peers: Int
    }

    /// The system has no sockets or threads left.
    public struct Failure: Error, CustomStringConvertible {
        public let description = "Ableton Link cannot start: no sockets or threads are left"
    }

    private let session: OpaquePointer
    /// Yields when the number of peers, the tempo, or the start and stop state changes. It has one reader.
    public let changes: AsyncStream<Void>
    private let yielder: Yielder

    /// The context of Link's callback.
    private final class Yielder: Sendable {
        let continuation: AsyncStream<Void>.Continuation

        init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }
    }

    /// A peer that is in no session yet.
    public init(bpm: Double) throws(Failure) {
        guard let session = link_session_create(bpm) else { throw Failure() }
        self.session = session
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        changes = stream
        yielder = Yielder(continuation)
        let changed: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
            guard let context else { return }
            Unmanaged<Yielder>.fromOpaque(context).takeUnretainedValue().continuation.yield()
        }
        // Destroying the session ends the calls before the yielder is freed.
        link_session_on_change(session, changed, Unmanaged.passUnretained(yielder).toOpaque())
    }

    deinit {
        link_session_destroy(session)
        yielder.continuation.finish()
    }

    /// Joins the session on the network, or begins one.
    public func enable() { link_session_enable(session, true) }

    public func disable() { link_session_enable(session, false) }

    /// Shares starts and stops with the peers that share theirs, or not.
    public func shareStarts(_ isShared: Bool) { link_session_share_starts(session, isShared) }

    /// Link's time in µs: the system's monotonic clock without corrections.
    public var now: Int { Int(link_session_now(session)) }

    /// The session at a time, its beats in phase with the other peers' for a quantum.
    public func moment(at usecs: Int, quantum: Double) -> SessionMoment {
        let state = link_session_at(session, Int64(usecs), quantum)
        return SessionMoment(
            usecs: Int(state.usecs), beat: state.beat, bpm: state.bpm, isPlaying: state.is_playing,
            playingUsecs: Int(state.playing_usecs), peers: Int(state.peers))
    }

    /// Changes the tempo for all peers.
    public func setTempo(_ bpm: Double, at usecs: Int) { link_session_set_tempo(session, bpm, Int64(usecs)) }

    /// Starts or stops all peers that share starts and stops.
    public func setPlaying(_ isPlaying: Bool, at usecs: Int) {
        link_session_set_playing(session, isPlaying, Int64(usecs))
    }

    /// Maps a beat to a time: exactly while there are no other peers, else at the next time that is in phase with them.
    public func requestBeat(_ beat: Double, at usecs: Int, quantum: Double) {
        link_session_request_beat(session, beat, Int64(usecs), quantum)
    }
}
