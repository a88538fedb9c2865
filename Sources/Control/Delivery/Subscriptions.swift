import Session
import Wire

/// What one client subscribed to.
struct Subscriptions {
    /// A topic of which every version is replaced by the next: what the subscriber has, and when it may get more.
    struct Feed<Version> {
        var base: Version
        var schedule: DeliverySchedule
        /// The line whose answer holds the base. Until that answer is sent the subscriber cannot make anything of a
        /// change.
        var unansweredLine: Int?

        /// Notes that the subscriber was sent a version.
        mutating func delivered(_ sent: Version, version: Int, at now: Duration, ready: Duration) {
            base = sent
            schedule.delivered(version, at: now, ready: ready)
        }
    }

    var frame: Feed<NumberedFrame>?
    var state: Feed<StateFeed.Version>?
    var labels: Feed<NumberedLabels>?
    /// Whether a change of the library is still to be announced.
    var owesLibrary = false
    /// What is on its way to who listens.
    var audio: AudioQueue?
    /// The topics of which each message stands for itself.
    private(set) var events: Set<Topic> = []

    /// Whether any of it shows what is heard while it is heard.
    var followsSound: Bool {
        frame != nil || state != nil || labels != nil
            || !events.isSubset(of: [.tooltip, .haptic, .sync, .midi, .library])
    }

    /// Whether there is none.
    var isEmpty: Bool { frame == nil && state == nil && labels == nil && audio == nil && events.isEmpty }

    /// Subscribes to a topic of which each message stands for itself.
    mutating func addEvents(_ topic: Topic) {
        events.insert(topic)
    }

    /// Ends the subscription to a topic.
    mutating func remove(_ topic: Topic) {
        switch topic {
        case .frame: frame = nil
        case .state: state = nil
        case .labels: labels = nil
        case .step, .launch, .tooltip, .haptic, .sync, .midi, .scope, .library: events.remove(topic)
        case .audio: audio = nil
        }
    }

    /// Notes that the answer to a line was sent.
    ///
    /// - Returns: Whether a subscription waited for it.
    mutating func answered(line: Int) -> Bool {
        let isAwaited = [frame?.unansweredLine, state?.unansweredLine, labels?.unansweredLine].contains(line)
        guard isAwaited else { return false }
        if frame?.unansweredLine == line { frame?.unansweredLine = nil }
        if state?.unansweredLine == line { state?.unansweredLine = nil }
        if labels?.unansweredLine == line { labels?.unansweredLine = nil }
        return true
    }
}
