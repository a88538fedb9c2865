import Wire

/// The events that a client subscribed to, starting with the current picture and state.
///
/// Iterate it once, in one task. A slow reader gets the newest picture and state, and loses the oldest steps, tooltips
/// and haptics beyond 256; nothing piles up. Iterating throws ``ClientError`` when the connection is lost, and ends
/// when the subscription or the task is cancelled. The topics are unsubscribed when the subscription is released.
public final class Subscription: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ClientEvent

    private let feed: Feed
    let client: PixelBoopClient

    fileprivate init(feed: Feed, client: PixelBoopClient) {
        self.feed = feed
        self.client = client
    }

    deinit {
        client.connection.remove(feed)
    }

    /// How many events were lost because the reader was slow.
    public var dropped: Int { feed.dropped }

    /// Ends the subscription.
    public func cancel() {
        client.connection.remove(feed)
    }

    /// Starts iterating.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

    /// The position in the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription

        /// Waits for the next event; nil at the end.
        public mutating func next() async throws -> ClientEvent? {
            try await subscription.feed.next()
        }
    }
}

extension PixelBoopClient {
    /// Subscribes to topics; the first events are the current picture and state, if requested.
    ///
    /// - Parameters:
    ///   - topics: What to subscribe to; by default all topics but `midi`, the scope, punch-ins, the library, labels, takes and
    ///     `audio`: `midi` may be a flood, the scope is only measured, thirty times a second, while a client subscribes to it,
    ///     `audio` is for a client of its own, and older daemons do not know the others.
    ///   - maximumFrameRate: The most pictures a second, 1 to 240; by default the daemon's choice (60). The last value
    ///     applies to all subscriptions of this client.
    public func subscribe(
        to topics: Set<Topic> = Set(Topic.allCases).subtracting([
            .midi, .scope, .punch, .library, .labels, .take, .audio,
        ]),
        maximumFrameRate: Int? = nil
    ) async throws -> Subscription {
        let feed = Feed(topics: topics)
        try await connection.subscribe(feed, maximumFrameRate: maximumFrameRate)
        return Subscription(feed: feed, client: self)
    }
}
