import JSON
import Session
import Wire

/// Sends each subscriber the changes of the state since its last patch, when its socket allows and no more often than
/// pictures.
struct StateDelivery {
    private var feed: VersionFeed<JSONValue>
    /// The session's revision in the newest state, nil if that is out of date.
    private var revision: Int?

    /// The session's revision when subscribers were last checked.
    private var servedRevision: Int?
    /// Whether the subscribers must be checked again.
    private var isOutdated = false
    /// When ``deliver(to:at:revision:state:)`` must be called next, nil for never.
    private(set) var wake: Duration?

    init(_ first: InstrumentState, at now: Duration) {
        feed = VersionFeed(Numbered(number: 1, value: .object(first.json)), ready: now) { base, newest in
            let patch = JSONValue.mergePatch(from: base.value, to: newest.value)
            return patch == [:] ? nil : DaemonNotification.stateLine(patch: patch)
        }
    }

    /// Notes a change that the session's revision does not count.
    mutating func invalidate() {
        revision = nil
        servedRevision = nil
    }

    /// A subscription that starts with the current state.
    ///
    /// - Parameter line: The line whose answer holds the state, nil if nothing is answered.
    mutating func subscribe(
        rate: Int, answeredIn line: Int?, at now: Duration, revision: Int, state: () -> InstrumentState
    ) -> Subscriptions.Feed<JSONValue> {
        accept(revision, state, at: now)
        subscribersChanged()
        return feed.subscription(rate: rate, answeredIn: line, inRhythmWith: feed.ready)
    }

    /// Notes that there is a new subscriber, or that a socket has room again.
    mutating func subscribersChanged() {
        isOutdated = true
    }

    /// Sends patches to all subscribers whose sockets have room.
    mutating func deliver(to clients: [Client], at now: Duration, revision: Int, state: () -> InstrumentState) {
        let isDue = wake.map { $0 <= now } ?? false
        guard isOutdated || isDue || revision != servedRevision else { return }
        isOutdated = false
        servedRevision = revision
        wake = nil
        let subscribers = clients.filter { $0.subscriptions.state != nil }
        guard !subscribers.isEmpty else { return }
        accept(revision, state, at: now)
        let newest = feed.version
        let isAnyoneDue = subscribers.contains { client in
            client.acceptsState && client.subscriptions.state?.schedule.decision(on: newest, at: now) == .send
        }
        for client in subscribers where client.acceptsState {
            guard var subscription = client.subscriptions.state else { continue }
            let retry = feed.deliver(to: &subscription, at: now, alongOthers: isAnyoneDue, send: client.write)
            client.subscriptions.state = subscription
            if let retry { wake = min(retry, wake ?? retry) }
        }
    }

    private mutating func accept(_ revision: Int, _ state: () -> InstrumentState, at now: Duration) {
        guard revision != self.revision else { return }
        self.revision = revision
        let json = JSONValue.object(state().json)
        guard json != feed.newest.value else { return }
        feed.accept(Numbered(number: feed.newest.number + 1, value: json), ready: now)
    }
}
