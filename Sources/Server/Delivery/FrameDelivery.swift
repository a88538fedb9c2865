import Session
import Wire

/// Gives pictures to their subscribers: each the newest, when its rate and its socket allow.
struct FrameDelivery {
    /// A picture, and when it changes by itself.
    struct Drawing: Sendable {
        var frame: NumberedFrame
        var nextRedraw: Duration?
    }

    private var feed: FrameFeed
    /// When the picture changes by itself next.
    private var nextRedraw: Duration?
    /// When pictures were last sent.
    private var rhythm: Duration

    /// When ``deliver(to:at:draw:)`` must be called next, nil while nothing is to be expected.
    private(set) var wake: Duration?

    /// A timer that is this late still counts as punctual.
    private static let jitter = Duration.milliseconds(4)

    init(_ first: NumberedFrame, at now: Duration) {
        feed = FrameFeed(first, ready: now)
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

    /// Draws, when anyone can take a picture, and sends it to all who can.
    mutating func deliver(to clients: [Client], at now: Duration, draw: () -> Drawing) {
        let open = clients.lazy.compactMap { $0.isBlocked ? nil : $0.subscriptions.frame }
        guard let earliest = open.filter({ $0.unansweredLine == nil }).map(\.schedule.due).min() else {
            wake = nil
            return
        }
        guard earliest <= now else {
            wake = earliest
            return
        }
        take(draw(), at: now)
        wake = nextRedraw
        for client in clients {
            guard let time = deliver(to: client, at: now) else { continue }
            wake = min(time, wake ?? time)
        }
    }

    private mutating func take(_ drawing: Drawing, at now: Duration) {
        let isByItself = nextRedraw.map { $0 <= now } ?? false
        feed.take(drawing.frame, ready: isByItself ? max(nextRedraw ?? now, now - FrameDelivery.jitter) : now)
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
