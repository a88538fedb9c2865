import Wire

/// The events that a client subscribed to, from the present state of things on.
///
/// To be iterated once, by one task. A slow reader gets the newest picture and state, and loses the oldest steps,
/// tooltips and haptics beyond 256; nothing piles up. Iterating throws ``ClientError`` when the connection is lost, and
/// ends when the client is asked to cancel, or when its task is cancelled. The topics are unsubscribed when nobody holds
/// the subscription any more.
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

    /// How many events were lost because nobody took them in time.
    public var dropped: Int { feed.dropped }

    /// Ends the subscription.
    public func cancel() {
        client.connection.remove(feed)
    }

    /// Starts iterating.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

    /// The place in the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription

        /// The next event, as soon as there is one.
        public mutating func next() async throws -> ClientEvent? {
            try await subscription.feed.next()
        }
    }
}

extension PixelBoopClient {
    /// Subscribes to topics; the first events are the present picture and state, if asked for.
    ///
    /// - Parameters:
    ///   - topics: What to be sent; by default all topics but `midi`, the scope, the library, labels and `audio`: `midi` may
    ///     be a flood, the scope is measured thirty times a second only while a client subscribes to it, `audio` is for a
    ///     client of its own, and older daemons do not know the others.
    ///   - maximumFrameRate: Pictures a second at most, 1 to 240; by default the daemon's choice (60). It
    ///     holds for all subscriptions of this client: the last one counts.
    public func subscribe(
        to topics: Set<Topic> = Set(Topic.allCases).subtracting([.midi, .scope, .library, .labels, .audio]),
        maximumFrameRate: Int? = nil
    ) async throws -> Subscription {
        let feed = Feed(topics: topics)
        try await connection.subscribe(feed, maximumFrameRate: maximumFrameRate)
        return Subscription(feed: feed, client: self)
    }
}
