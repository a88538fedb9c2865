import JSON
import NIOCore
import Wire

/// Sends each subscriber the changes of the state since its last patch, when its socket allows and no more often than
/// pictures.
struct StateDelivery {
    private var feed: StateFeed
    /// The session's revision in the newest state, nil if that is out of date.
    private var revision: Int?

    /// The session's revision when subscribers were last checked.
    private var servedRevision: Int?
    /// Whether the subscribers must be checked again.
    private var isOutdated = false
    /// When ``deliver(to:at:revision:state:)`` must be called next, nil for never.
    private(set) var wake: Duration?

    init(_ first: InstrumentState, at now: Duration) {
        feed = StateFeed(first, ready: now)
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
    ) -> Subscriptions.Feed<StateFeed.Version> {
        accept(revision, state, at: now)
        let schedule = DeliverySchedule(rate: rate, version: feed.newest.number, inRhythmWith: feed.ready)
        subscribersChanged()
        return .init(base: feed.newest, schedule: schedule, unansweredLine: line)
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
        let newest = feed.newest.number
        let isAnyoneDue = subscribers.contains { client in
            client.acceptsState && client.subscriptions.state?.schedule.decision(on: newest, at: now) == .send
        }
        for client in subscribers where client.acceptsState {
            guard let time = deliver(to: client, at: now, alongOthers: isAnyoneDue) else { continue }
            wake = min(time, wake ?? time)
        }
    }

    private mutating func accept(_ revision: Int, _ state: () -> InstrumentState, at now: Duration) {
        guard revision != self.revision else { return }
        self.revision = revision
        feed.accept(state(), ready: now)
    }

    /// Sends a client the changes.
    ///
    /// - Returns: When to try again, nil if there is no need.
    private mutating func deliver(to client: Client, at now: Duration, alongOthers: Bool) -> Duration? {
        guard let subscription = client.subscriptions.state else { return nil }
        let newest = feed.newest
        switch subscription.schedule.decision(on: newest.number, at: now, alongOthers: alongOthers) {
        case .nothing: break
        case .wait(let until): return until
        case .send:
            guard let line = feed.patch(from: subscription.base) else {
                client.subscriptions.state?.schedule.skipped(newest.number)
                break
            }
            client.write(line)
            client.subscriptions.state?.delivered(newest, version: newest.number, at: now, ready: feed.ready)
        }
        return nil
    }
}

/// The newest state and the patches that lead to it, each made at most once, however many subscribers get it.
struct StateFeed {
    /// The state at one time.
    struct Version {
        /// Higher for later states.
        var number: Int
        /// The whole state.
        var state: JSONValue
    }

    private(set) var newest: Version
    /// The earliest time at which the newest state could be sent.
    private(set) var ready: Duration

    /// By the base's number; nil where both states are equal.
    private var patches: [Int: ByteBuffer?] = [:]

    init(_ first: InstrumentState, ready: Duration) {
        newest = Version(number: 1, state: .object(first.json))
        self.ready = ready
    }

    /// Stores a state as the newest, unless it equals the last one.
    mutating func accept(_ state: InstrumentState, ready: Duration) {
        let json = JSONValue.object(state.json)
        guard json != newest.state else { return }
        newest = Version(number: newest.number + 1, state: json)
        self.ready = ready
        patches.removeAll(keepingCapacity: true)
    }

    /// The line that turns an earlier state into the newest, nil where both are equal.
    mutating func patch(from base: Version) -> ByteBuffer? {
        if let known = patches[base.number] { return known }
        let patch = JSONValue.mergePatch(from: base.state, to: newest.state)
        let line = patch == [:] ? nil : ByteBuffer(bytes: DaemonNotification.stateLine(patch: patch))
        patches[base.number] = .some(line)
        return line
    }
}
