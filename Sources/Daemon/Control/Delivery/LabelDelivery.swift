import Grid
import JSON
import Session
import Wire

/// Sends labels to their subscribers; those that also get pictures get the labels' picture first.
struct LabelDelivery {
    /// Whether there are subscribers; without any, no labels are made.
    var isWanted = false {
        didSet { if !isWanted { wake = nil } }
    }
    private var feed = VersionFeed(Numbered(number: 0, value: Labels()), ready: .zero) { base, newest in
        LabelUpdate(sequence: newest.number, base: base.number, changes: newest.value.changes(from: base.value)).line
    }
    /// When ``deliver(to:at:labels:hasPicture:)`` must be called next, nil for never.
    private(set) var wake: Duration?

    /// A subscription that starts with the current labels, and these as the answer's JSON.
    mutating func subscribe(
        rate: Int, answeredIn line: Int?, at now: Duration, labels: Numbered<Labels>
    ) -> (subscription: Subscriptions.Feed<Labels>, json: [UInt8]) {
        feed.accept(labels, ready: now)
        let update = LabelUpdate(sequence: labels.number, changes: labels.value.changes(from: .init()))
        let subscription = feed.subscription(rate: rate, answeredIn: line, inRhythmWith: now)
        return (subscription, JSONValue.object(update.json).bytes)
    }

    /// Sends the changes to all subscribers whose sockets have room.
    ///
    /// - Parameter hasPicture: Whether a client that gets pictures has the one that the labels belong to.
    mutating func deliver(
        to clients: [Client], at now: Duration, labels: () -> Numbered<Labels>, hasPicture: (Client) -> Bool
    ) {
        guard isWanted else { return }
        feed.accept(labels(), ready: now)
        wake = nil
        for client in clients {
            guard !client.isBlocked, var subscription = client.subscriptions.labels,
                subscription.unansweredLine == nil, subscription.schedule.version < feed.version
            else { continue }
            if client.subscriptions.frame == nil {
                let retry = feed.deliver(to: &subscription, at: now, send: client.write)
                if let retry { wake = min(retry, wake ?? retry) }
            } else if hasPicture(client) {
                feed.sendNewest(to: &subscription, at: now, send: client.write)
            }
            client.subscriptions.labels = subscription
        }
    }
}
