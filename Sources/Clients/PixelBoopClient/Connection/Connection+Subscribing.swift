import JSON
import Synchronization
import Wire

extension ClientConnection {
    /// Adds a subscriber, whose first events are in the daemon's answer.
    func subscribe(_ feed: Feed, maximumFrameRate: Int?) async throws {
        do {
            _ = try await wait { connection, id in
                try connection.state.withLock { state in
                    state.maximumFrameRate = maximumFrameRate ?? state.maximumFrameRate
                    state.subscribing[id] = .init(feed: feed)
                    try state.sendSubscription(id, to: feed.topics)
                }
            }
        } catch {
            remove(feed)
            throw error
        }
    }

    /// Removes a subscriber, and unsubscribes from topics without other subscribers.
    func remove(_ feed: Feed) {
        // A subscription that was cancelled is removed again when it is released.
        guard feed.finish(nil) else { return }
        state.withLock { state in
            state.feeds[ObjectIdentifier(feed)] = nil
            for (id, waiting) in state.subscribing where waiting.feed === feed { state.subscribing[id]?.feed = nil }
            let unused = feed.topics.subtracting(state.usedTopics)
            // A connection that has ended has no topics.
            if !unused.isEmpty { try? state.send(.call(nil, Methods.unsubscribe, unused.inOrder)) }
        }
    }

    /// Subscribes to the picture again: the answer's key frame is the base of the next diffs.
    func requestKeyFrame() {
        state.withLock { state in
            let id = state.nextID()
            state.subscribing[id] = .init(feed: nil)
            // A connection that has ended needs no picture.
            try? state.sendSubscription(id, to: [.frame])
        }
    }
}

extension ConnectionState {
    fileprivate func sendSubscription(_ id: Int, to topics: Set<Topic>) throws(ClientError) {
        let rate = maximumFrameRate ?? ControlProtocol.defaultFrameRate
        try send(.call(id, Methods.subscribe, (topics.inOrder, rate)))
    }
}

extension Set<Topic> {
    fileprivate var inOrder: [Topic] { Topic.allCases.filter(contains) }
}
