import Grid
import NIOCore
import Session
import Wire

/// Sends each subscriber the newest picture, when its rate and socket allow.
struct FrameDelivery {
    /// The pictures at one time, and when they change by themselves.
    struct Drawing: Sendable {
        var pictures: Pictures
        var nextRedraw: Duration
    }

    /// Pictures with tooltips.
    private var whole: VersionFeed<Frame>
    /// Pictures without tooltips.
    private var plain: VersionFeed<Frame>
    /// The newest pictures as key frame objects, by number, once they were asked for.
    private var keyFrames: [Int: [UInt8]] = [:]
    /// When the picture next changes by itself.
    private var nextRedraw: Duration
    /// When pictures were last sent.
    private var rhythm: Duration

    /// Whether the subscribers must be checked again; otherwise they are checked only when something is due.
    private var isOutdated = false
    /// When the first subscriber may be sent a new picture, nil if no socket has room.
    private var nextDue: Duration?
    /// When the newest picture may be sent to the first subscriber that does not have it; nil if all have it.
    private var nextCatchUp: Duration?

    /// When ``deliver(to:at:nextRedraw:draw:)`` must be called next, nil for never.
    private(set) var wake: Duration?

    /// When pictures can next be sent, as far as is known.
    var schedule: PictureSchedule? {
        nextDue.map { PictureSchedule(due: $0, next: wake) }
    }

    /// A timer up to this late still counts as on time.
    private static let jitter = Duration.milliseconds(4)

    init(_ first: Drawing, at now: Duration) {
        func feed(_ first: Numbered<Frame>) -> VersionFeed<Frame> {
            VersionFeed(first, ready: now) { base, newest in
                let changes = newest.value.changes(from: base.value)
                return changes.isEmpty
                    ? nil : FrameUpdate(sequence: newest.number, base: base.number, changes: changes).line
            }
        }
        (whole, plain) = (feed(first.pictures.whole), feed(first.pictures.plain))
        nextRedraw = first.nextRedraw
        rhythm = now
    }

    /// The current picture of the client's kind as a key frame object.
    mutating func keyFrame(for client: Client, at now: Duration, draw: () -> Drawing) -> [UInt8] {
        if accept(draw(), at: now) { nextCatchUp = now }
        let newest = feed(of: client).newest
        if let known = keyFrames[newest.number] { return known }
        if keyFrames.count > 1 { keyFrames.removeAll() }
        let bytes = KeyFrame(sequence: newest.number, frame: newest.value).bytes
        keyFrames[newest.number] = bytes
        return bytes
    }

    /// Notes that a client switched to the other kind of picture; its next diff leads there.
    mutating func kindChanged(of client: Client) {
        let feed = feed(of: client)
        client.subscriptions.frame?.schedule.renumber(feed.version - 1)
        subscribersChanged()
    }

    /// Whether a client has the last drawn picture.
    func hasNewest(_ client: Client) -> Bool {
        client.subscriptions.frame?.schedule.version == feed(of: client).version
    }

    private func feed(of client: Client) -> VersionFeed<Frame> { client.showsTooltips ? whole : plain }

    /// A subscription that starts with the current picture, and that picture as a key frame object.
    ///
    /// - Parameter line: The line whose answer holds the key frame, nil if nothing is answered.
    mutating func subscribe(
        _ client: Client, rate: Int, answeredIn line: Int?, at now: Duration, draw: () -> Drawing
    ) -> (subscription: Subscriptions.Feed<Frame>, keyFrame: [UInt8]) {
        let keyFrame = keyFrame(for: client, at: now, draw: draw)
        subscribersChanged()
        return (feed(of: client).subscription(rate: rate, answeredIn: line, inRhythmWith: rhythm), keyFrame)
    }

    /// Notes that there is a new subscriber, or that a socket has room again.
    mutating func subscribersChanged() {
        isOutdated = true
    }

    /// Draws if the picture may have changed and any client's socket has room, and sends it to these clients.
    ///
    /// - Parameter nextRedraw: When the picture may differ from the last one drawn.
    mutating func deliver(to clients: [Client], at now: Duration, nextRedraw: Duration, draw: () -> Drawing) {
        if isOutdated {
            isOutdated = false
            nextDue = clients.reduce(nil) { earlier($1.frameDue, $0) }
            nextCatchUp = nextDue == nil ? nil : now
        }
        var (nextRedraw, isNew) = (nextRedraw, false)
        if let nextDue, max(nextDue, nextRedraw) <= now {
            isNew = accept(draw(), at: now)
            nextRedraw = self.nextRedraw
        }
        if isNew || nextCatchUp.map({ $0 <= now }) ?? false { catchUp(clients, at: now) }
        wake = nextDelivery(nextRedraw: nextRedraw)
    }

    /// Sends the newest picture to all that lack it and whose sockets have room.
    private mutating func catchUp(_ clients: [Client], at now: Duration) {
        (nextDue, nextCatchUp) = (nil, nil)
        let (newest, newestPlain) = (whole.version, plain.version)
        let isAnyoneDue = clients.contains { client in
            guard client.frameDue != nil, let schedule = client.subscriptions.frame?.schedule else { return false }
            return schedule.decision(on: client.showsTooltips ? newest : newestPlain, at: now) == .send
        }
        for client in clients where client.frameDue != nil {
            nextCatchUp = earlier(deliver(to: client, at: now, alongOthers: isAnyoneDue), nextCatchUp)
            nextDue = earlier(client.frameDue, nextDue)
        }
    }

    /// When a client can next be sent a picture that it lacks, or a new one.
    private func nextDelivery(nextRedraw: Duration) -> Duration? {
        guard let nextDue else { return nextCatchUp }
        let redraw = max(nextDue, nextRedraw)
        return min(redraw, nextCatchUp ?? redraw)
    }

    /// Stores a drawing; false when it looks the same as before.
    private mutating func accept(_ drawing: Drawing, at now: Duration) -> Bool {
        // Without timer delay, a picture that changed by itself could have been sent when it did.
        let ready = min(now, max(nextRedraw, now - FrameDelivery.jitter))
        nextRedraw = drawing.nextRedraw
        let isNewPlain = plain.accept(drawing.pictures.plain, ready: ready)
        return whole.accept(drawing.pictures.whole, ready: ready) || isNewPlain
    }

    /// Sends the changes to a client whose socket has room.
    ///
    /// - Returns: When to try again, nil if there is no need.
    private mutating func deliver(to client: Client, at now: Duration, alongOthers: Bool) -> Duration? {
        guard var subscription = client.subscriptions.frame else { return nil }
        let newest = client.showsTooltips ? whole.version : plain.version
        let version = subscription.schedule.version
        var isSent = false
        func send(_ line: ByteBuffer) {
            client.send(line)
            client.frames.sent += 1
            client.frames.dropped += newest - version - 1
            isSent = true
        }
        let retry =
            client.showsTooltips
            ? whole.deliver(to: &subscription, at: now, alongOthers: alongOthers, send: send)
            : plain.deliver(to: &subscription, at: now, alongOthers: alongOthers, send: send)
        if isSent { rhythm = subscription.schedule.lastDelivery }
        client.subscriptions.frame = subscription
        return retry
    }
}

/// The earlier of two times, nil for never.
private func earlier(_ first: Duration?, _ second: Duration?) -> Duration? {
    guard let first, let second else { return first ?? second }
    return min(first, second)
}
