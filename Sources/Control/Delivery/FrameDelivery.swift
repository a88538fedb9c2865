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
    private var whole: FrameFeed
    /// Pictures without tooltips.
    private var plain: FrameFeed
    /// When the picture next changes by itself.
    private var nextRedraw: Duration
    /// When pictures were last sent.
    private var rhythm: Duration

    /// Whether the subscribers must be checked again. Otherwise, while nothing is due, a round costs nothing, however
    /// many there are.
    private var isOutdated = false
    /// When the first subscriber may be sent a new picture, nil if no socket has room.
    private var nextDue: Duration?
    /// When the first subscriber that lacks the newest picture may be sent it, nil if none does.
    private var nextCatchUp: Duration?

    /// When ``deliver(to:at:nextRedraw:draw:)`` must be called next, nil for never.
    private(set) var wake: Duration?

    /// A timer up to this late still counts as on time.
    private static let jitter = Duration.milliseconds(4)

    init(_ first: Drawing, at now: Duration) {
        whole = FrameFeed(first.pictures.whole, ready: now)
        plain = FrameFeed(first.pictures.plain, ready: now)
        nextRedraw = first.nextRedraw
        rhythm = now
    }

    /// The current picture of the client's kind as a key frame object.
    mutating func keyFrame(for client: Client, at now: Duration, draw: () -> Drawing) -> [UInt8] {
        if accept(draw(), at: now) { nextCatchUp = now }
        return client.showsTooltips ? whole.keyFrameBytes() : plain.keyFrameBytes()
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

    private func feed(of client: Client) -> FrameFeed { client.showsTooltips ? whole : plain }

    /// A subscription that starts with the current picture, and that picture as a key frame object.
    ///
    /// - Parameter line: The line whose answer holds the key frame, nil if nothing is answered.
    mutating func subscribe(
        _ client: Client, rate: Int, answeredIn line: Int?, at now: Duration, draw: () -> Drawing
    ) -> (subscription: Subscriptions.Feed<NumberedFrame>, keyFrame: [UInt8]) {
        let keyFrame = keyFrame(for: client, at: now, draw: draw)
        let feed = feed(of: client)
        let schedule = DeliverySchedule(rate: rate, version: feed.version, inRhythmWith: rhythm)
        subscribersChanged()
        return (.init(base: feed.newest, schedule: schedule, unansweredLine: line), keyFrame)
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
        guard let subscription = client.subscriptions.frame else { return nil }
        let newest = client.showsTooltips ? whole.version : plain.version
        switch subscription.schedule.decision(on: newest, at: now, alongOthers: alongOthers) {
        case .nothing: break
        case .wait(let until): return until
        case .send:
            let line =
                client.showsTooltips ? whole.update(from: subscription.base) : plain.update(from: subscription.base)
            guard let line else {
                client.subscriptions.frame?.schedule.skipped(newest)
                break
            }
            client.send(line)
            client.frames.sent += 1
            client.frames.dropped += newest - subscription.schedule.version - 1
            let feed = feed(of: client)
            client.subscriptions.frame?.delivered(feed.newest, version: newest, at: now, ready: feed.ready)
            rhythm = client.subscriptions.frame?.schedule.lastDelivery ?? rhythm
        }
        return nil
    }
}

/// The earlier of two times, nil for never.
private func earlier(_ first: Duration?, _ second: Duration?) -> Duration? {
    guard let first, let second else { return first ?? second }
    return min(first, second)
}

/// The newest picture of one kind and its encodings, each made at most once, however many subscribers get it.
struct FrameFeed {
    /// The newest picture that was drawn.
    private(set) var newest: NumberedFrame
    /// Counts the pictures of this kind.
    private(set) var version = 1
    /// The earliest time at which the newest picture could be sent.
    private(set) var ready: Duration

    /// By the base's number; nil where both pictures look the same.
    private var updates: [Int: ByteBuffer?] = [:]
    private var keyFrame: [UInt8]?

    init(_ first: NumberedFrame, ready: Duration) {
        newest = first
        self.ready = ready
    }

    /// Stores a picture as the newest, unless it is the same as before.
    ///
    /// - Returns: Whether it differs.
    @discardableResult
    mutating func accept(_ frame: NumberedFrame, ready: Duration) -> Bool {
        guard frame.sequence != newest.sequence else { return false }
        newest = frame
        version += 1
        self.ready = ready
        updates.removeAll(keepingCapacity: true)
        keyFrame = nil
        return true
    }

    /// The newest picture as a key frame object.
    mutating func keyFrameBytes() -> [UInt8] {
        if let keyFrame { return keyFrame }
        let bytes = KeyFrame(sequence: newest.sequence, frame: newest.frame).bytes
        keyFrame = bytes
        return bytes
    }

    /// The line that turns an earlier picture into the newest, nil where both look the same.
    mutating func update(from base: NumberedFrame) -> ByteBuffer? {
        if let known = updates[base.sequence] { return known }
        let changes = newest.frame.changes(from: base.frame)
        let update = FrameUpdate(sequence: newest.sequence, base: base.sequence, changes: changes)
        let line = changes.isEmpty ? nil : ByteBuffer(bytes: update.line)
        updates[base.sequence] = .some(line)
        return line
    }
}
