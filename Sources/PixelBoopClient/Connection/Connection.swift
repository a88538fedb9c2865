import Grid
import JSON
import NIOCore
import Synchronization
import Wire

/// One connection to the daemon: pairs answers with calls, and keeps picture and state up to date for the subscribers.
///
/// The event loop brings lines, any task makes calls; what both touch is behind one lock. Lines are sent in the order in
/// which the lock was taken, and waiting tasks are resumed outside of it.
final class Connection: Sendable {
    let state = Mutex(ConnectionState())

    /// The connection is over: everybody who waits learns why. Only the first reason counts.
    func end(_ error: ClientError) {
        guard let (error, calls, feeds) = state.withLock({ $0.end(error) }) else { return }
        for call in calls { call.perform() }
        for feed in feeds { feed.finish(error) }
    }

    /// Closes the connection.
    func close() {
        let channel = state.withLock { $0.channel }
        end(.connectionLost(reason: "closed by this program"))
        channel?.close(promise: nil)
    }
}

/// What a connection knows, behind its lock.
struct ConnectionState {
    /// A call whose answer brings picture and state.
    struct Subscribing {
        /// Who asked; nil when the connection did itself, or nobody listens any more.
        var feed: Feed?
    }

    var calls = PendingCalls()
    /// Nil before there is one and when it is over.
    var channel: (any Channel)?
    var welcome: Welcome?
    /// The call that stands for the daemon's first words.
    var welcomeCall: Int?
    var subscribing: [Int: Subscribing] = [:]
    var feeds: [ObjectIdentifier: Feed] = [:]
    var frames = FrameTracker()
    /// What the cells stand for, as far as it was sent.
    var labels = Labels()
    /// The state as JSON, to which patches are applied.
    var instrument: JSONValue?
    /// Pictures a second that were last asked for.
    var maximumFrameRate: Int?
    /// What the daemon said about the connection's end before it came.
    var announcedEnd: ClientError?
    private(set) var end: ClientError?

    /// Topics that somebody listens to or is about to.
    var usedTopics: Set<Topic> {
        let coming = subscribing.values.compactMap(\.feed)
        return (Array(feeds.values) + coming).reduce(into: []) { $0.formUnion($1.topics) }
    }

    /// The connection is over; who must be notified, and of what. Nil if it was over before.
    mutating func end(_ error: ClientError) -> (ClientError, [PendingCalls.Resumption], [Feed])? {
        guard end == nil else { return nil }
        var reason = error
        if case .connectionLost = error, let announcedEnd { reason = announcedEnd }
        end = reason
        channel = nil
        subscribing = [:]
        defer { feeds = [:] }
        return (reason, calls.failAll(reason), Array(feeds.values))
    }

    /// Sends a line behind those that were sent before.
    ///
    /// - Parameter whenWritten: Called on the event loop with whether the system took it.
    func send(_ line: [UInt8], whenWritten: (@Sendable (Result<Void, any Error>) -> Void)? = nil) throws(ClientError) {
        let limit = welcome?.limits.line ?? .max
        guard line.count <= limit else { throw .callTooLong(bytes: line.count, limit: limit) }
        guard let channel else { throw end ?? .connectionLost(reason: "not connected") }
        // Never at once, not even on the event loop itself: a failure to write would come back here while the lock is held.
        channel.eventLoop.execute {
            let written = channel.writeAndFlush(ByteBuffer(bytes: line))
            if let whenWritten { written.whenComplete(whenWritten) }
        }
    }
}
