import Grid
import JSON
import NIOCore
import Synchronization
import Wire

/// A connection to the daemon: matches answers with calls, and keeps picture and state up to date for the subscribers.
///
/// The event loop receives lines, and any task makes calls; a lock protects what both use. Lines are sent in the order
/// in which the lock was acquired, and waiting tasks are resumed outside of it.
final class ClientConnection: Sendable {
    let state = Mutex(ConnectionState())

    /// Ends the connection, and everything that waits for it, with an error. Only the first one counts.
    func end(_ error: ClientError) {
        guard let (error, calls, feeds) = state.withLock({ $0.end(error) }) else { return }
        for call in calls { call.finish(throwing: error) }
        for feed in feeds { feed.finish(error) }
    }

    /// Closes the connection.
    func close() {
        let channel = state.withLock { $0.channel }
        end(.connectionLost(reason: "closed by this program"))
        channel?.close(promise: nil)
    }
}

/// The state of a connection, protected by its lock.
struct ConnectionState {
    /// A call whose answer contains picture and state.
    struct Subscribing {
        /// The subscriber that asked; nil if the connection itself did, or the subscriber is gone.
        var feed: Feed?
    }

    /// A task that waits for an answer.
    typealias Call = AsyncThrowingStream<JSONValue, any Error>.Continuation

    /// The calls that wait for their answers, by id.
    var calls: [Int: Call] = [:]
    private var lastID = 0
    /// Nil before the connection is made and after it has ended.
    var channel: (any Channel)?
    var welcome: Welcome?
    /// The pseudo call that waits for the daemon's welcome.
    var welcomeCall: Int?
    var subscribing: [Int: Subscribing] = [:]
    var feeds: [ObjectIdentifier: Feed] = [:]
    var frames = FrameTracker()
    /// The labels of the cells received so far.
    var labels = Labels()
    /// The state as JSON, which patches are applied to.
    var instrument: JSONValue?
    /// The frame rate that was requested last.
    var maximumFrameRate: Int?
    /// The reason that the daemon announced before the connection ended.
    var announcedEnd: ClientError?
    private(set) var end: ClientError?

    /// Topics of current and pending subscribers.
    var usedTopics: Set<Topic> {
        let coming = subscribing.values.compactMap(\.feed)
        return (Array(feeds.values) + coming).reduce(into: []) { $0.formUnion($1.topics) }
    }

    /// Ends the connection: the reason, and who must be notified of it. Nil if it had ended before.
    mutating func end(_ error: ClientError) -> (ClientError, [Call], [Feed])? {
        guard end == nil else { return nil }
        var reason = error
        if case .connectionLost = error, let announcedEnd { reason = announcedEnd }
        end = reason
        channel = nil
        subscribing = [:]
        defer { (calls, feeds) = ([:], [:]) }
        return (reason, Array(calls.values), Array(feeds.values))
    }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    /// Sends a line after all earlier ones.
    ///
    /// - Parameter whenWritten: Called on the event loop with the result of the write.
    func send(_ line: [UInt8], whenWritten: (@Sendable (Result<Void, any Error>) -> Void)? = nil) throws(ClientError) {
        let limit = welcome?.limits.line ?? .max
        guard line.count <= limit else { throw .callTooLong(bytes: line.count, limit: limit) }
        guard let channel else { throw end ?? .connectionLost(reason: "not connected") }
        // Always deferred, even on the event loop itself: a failed write would call back here while the lock is held.
        channel.eventLoop.execute {
            let written = channel.writeAndFlush(ByteBuffer(bytes: line))
            if let whenWritten { written.whenComplete(whenWritten) }
        }
    }
}
