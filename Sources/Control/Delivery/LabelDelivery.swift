import Grid
import JSON
import NIOCore
import Session
import Wire

/// Sends labels to their subscribers; those that also get pictures get the labels' picture first.
struct LabelDelivery {
    /// Whether there are subscribers; without any, no labels are made.
    var isWanted = false {
        didSet { if !isWanted { wake = nil } }
    }
    private var newest = NumberedLabels()
    /// By the base's number, each made at most once.
    private var updates: [Int: ByteBuffer] = [:]
    /// When ``deliver(to:at:labels:hasPicture:)`` must be called next, nil for never.
    private(set) var wake: Duration?

    /// A subscription that starts with the current labels, and these as the answer's JSON.
    mutating func subscribe(
        rate: Int, answeredIn line: Int?, at now: Duration, labels: NumberedLabels
    ) -> (subscription: Subscriptions.Feed<NumberedLabels>, json: [UInt8]) {
        accept(labels)
        let schedule = DeliverySchedule(rate: rate, version: newest.sequence, inRhythmWith: now)
        let update = LabelUpdate(sequence: newest.sequence, changes: newest.labels.changes(from: .init()))
        return (.init(base: newest, schedule: schedule, unansweredLine: line), JSONValue.object(update.json).bytes)
    }

    /// Sends the changes to all subscribers whose sockets have room.
    ///
    /// - Parameter hasPicture: Whether a client that gets pictures has the one that the labels belong to.
    mutating func deliver(
        to clients: [Client], at now: Duration, labels: () -> NumberedLabels, hasPicture: (Client) -> Bool
    ) {
        guard isWanted else { return }
        accept(labels())
        wake = nil
        for client in clients {
            guard !client.isBlocked, let subscription = client.subscriptions.labels,
                subscription.unansweredLine == nil, subscription.base.sequence < newest.sequence
            else { continue }
            if client.subscriptions.frame == nil {
                if case .wait(let until) = subscription.schedule.decision(on: newest.sequence, at: now) {
                    wake = min(until, wake ?? until)
                    continue
                }
            } else if !hasPicture(client) {
                continue
            }
            client.write(update(from: subscription.base))
            client.subscriptions.labels?.delivered(newest, version: newest.sequence, at: now, ready: now)
        }
    }

    private mutating func accept(_ labels: NumberedLabels) {
        guard labels.sequence != newest.sequence else { return }
        newest = labels
        updates.removeAll(keepingCapacity: true)
    }

    private mutating func update(from base: NumberedLabels) -> ByteBuffer {
        if let known = updates[base.sequence] { return known }
        let update = LabelUpdate(
            sequence: newest.sequence, base: base.sequence, changes: newest.labels.changes(from: base.labels))
        let line = ByteBuffer(bytes: update.line)
        updates[base.sequence] = line
        return line
    }
}
