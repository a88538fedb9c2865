import Session
import Wire

/// Gives pictures to their subscribers: each the newest, when its rate and its socket allow.
struct FrameDelivery {
    /// A picture, and when it changes by itself.
    struct Drawing: Sendable {
        var frame: NumberedFrame
        var nextRedraw: Duration
    }

    private var feed: FrameFeed
    /// When the picture changes by itself next.
    private var nextRedraw: Duration
    /// When pictures were last sent.
    private var rhythm: Duration

    /// When ``deliver(to:at:nextRedraw:draw:)`` must be called next, nil while nothing is to be expected.
    private(set) var wake: Duration?

    /// A timer that is this late still counts as punctual.
    private static let jitter = Duration.milliseconds(4)

    init(_ first: Drawing, at now: Duration) {
        feed = FrameFeed(first.frame, ready: now)
        nextRedraw = first.nextRedraw
        rhythm = now
    }

    /// The picture of now as a key frame's object.
    mutating func keyFrame(at now: Duration, draw: () -> Drawing) -> [UInt8] {
        take(draw(), at: now)
        return feed.keyFrameBytes()
    }

    /// A subscription that starts with the picture of now, and that picture as a key frame's object.
    ///
    /// - Parameter line: The line whose answer holds the key frame, nil when nothing is answered.
    mutating func subscribe(
        rate: Int, answeredIn line: Int?, at now: Duration, draw: () -> Drawing
    ) -> (subscription: Subscriptions.Feed<NumberedFrame>, keyFrame: [UInt8]) {
        let keyFrame = keyFrame(at: now, draw: draw)
        let schedule = DeliverySchedule(rate: rate, version: feed.newest.sequence, inRhythmWith: rhythm)
        return (.init(base: feed.newest, schedule: schedule, unansweredLine: line), keyFrame)
    }

    /// Draws, when the picture may have changed and anyone can take it, and sends it to all who can.
    ///
    /// - Parameter nextRedraw: When the picture may differ from the last one drawn.
    mutating func deliver(to clients: [Client], at now: Duration, nextRedraw: Duration, draw: () -> Drawing) {
        wake = nil
        guard let earliest = FrameDelivery.earliestDelivery(to: clients) else { return }
        if max(earliest, nextRedraw) <= now { take(draw(), at: now) }
        for client in clients {
            guard let time = deliver(to: client, at: now) else { continue }
            wake = min(time, wake ?? time)
        }
        guard let next = FrameDelivery.earliestDelivery(to: clients) else { return }
        let redraw = max(next, earliest <= now ? self.nextRedraw : nextRedraw)
        wake = min(redraw, wake ?? redraw)
    }

    /// The first moment at which some subscriber may be sent a picture, nil when none can take one.
    private static func earliestDelivery(to clients: [Client]) -> Duration? {
        var earliest: Duration?
        for client in clients {
            guard !client.isBlocked, let subscription = client.subscriptions.frame, subscription.unansweredLine == nil
            else { continue }
            earliest = min(subscription.schedule.due, earliest ?? subscription.schedule.due)
        }
        return earliest
    }

    private mutating func take(_ drawing: Drawing, at now: Duration) {
        // What changed by itself could have been sent when it did, were it not for the timer.
        feed.take(drawing.frame, ready: min(now, max(nextRedraw, now - FrameDelivery.jitter)))
        nextRedraw = drawing.nextRedraw
    }

    /// Sends one client what it lacks.
    ///
    /// - Returns: When to try again, nil when there is no need.
    private mutating func deliver(to client: Client, at now: Duration) -> Duration? {
        guard !client.isBlocked, let subscription = client.subscriptions.frame, subscription.unansweredLine == nil
        else { return nil }
        let newest = feed.newest.sequence
        switch subscription.schedule.decision(on: newest, at: now) {
        case .nothing: break
        case .wait(let until): return until
        case .send:
            guard let line = feed.update(from: subscription.base) else {
                client.subscriptions.frame?.schedule.skipped(newest)
                break
            }
            client.write(line)
            client.frames.sent += 1
            client.frames.dropped += newest - subscription.schedule.version - 1
            client.subscriptions.frame?.delivered(feed.newest, version: newest, at: now, ready: feed.ready)
            rhythm = client.subscriptions.frame?.schedule.lastDelivery ?? rhythm
        }
        return nil
    }
}
