import Grid
import JSON
import Session
import Wire

/// One client's subscriptions.
struct Subscriptions {
    /// A topic whose versions replace each other: the subscriber's version, and when it may get the next.
    struct Feed<Value> {
        var base: Numbered<Value>
        var schedule: DeliverySchedule
        /// The line whose answer holds the base; the subscriber can use no changes before that answer.
        var unansweredLine: Int?

        /// This subscription in place of an earlier one. Without an answer the subscriber gets no new base, and keeps
        /// that of the earlier one.
        func replacing(_ earlier: Feed?) -> Feed {
            guard unansweredLine == nil, let earlier else { return self }
            var feed = self
            feed.base = earlier.base
            feed.schedule.renumber(earlier.schedule.version)
            feed.unansweredLine = earlier.unansweredLine
            return feed
        }
    }

    var frame: Feed<Frame>?
    var state: Feed<JSONValue>?
    var labels: Feed<Labels>?
    /// The topics of whose change the subscriber must still be notified.
    var owed: Set<Topic> = []
    /// Audio blocks on their way to the client; nil unless it listens.
    var audio: AudioQueue?
    /// The topics whose messages do not replace each other.
    private(set) var events: Set<Topic> = []
    /// The events, and audio, that begin when a line is answered, with that line.
    private var awaited: [Topic: Int] = [:]

    /// Whether the client hears audio, or will once its subscription is answered.
    var isListening: Bool { audio != nil || awaited[.audio] != nil }

    /// Whether any topic must be in step with the sound.
    var followsSound: Bool {
        frame != nil || state != nil || labels != nil
            || !events.isSubset(of: [.tooltip, .haptic, .sync, .midi, .punch, .library, .take])
    }

    /// Whether any topic reports what is heard at the time at which it is heard.
    var followsSteps: Bool { !events.isDisjoint(with: [.step, .launch, .midi, .scope]) }

    var isEmpty: Bool {
        frame == nil && state == nil && labels == nil && audio == nil && events.isEmpty && awaited.isEmpty
    }

    /// Adds audio, or a topic whose messages do not replace each other.
    ///
    /// - Parameter line: The line with whose answer it begins, nil for now.
    mutating func add(_ topic: Topic, answeredIn line: Int?) {
        guard let line else { return begin(topic) }
        awaited[topic] = awaited[topic] ?? line
    }

    private mutating func begin(_ topic: Topic) {
        if topic == .audio {
            audio = audio ?? AudioQueue()
        } else {
            events.insert(topic)
            if topic == .take { owed.insert(topic) }
        }
    }

    mutating func remove(_ topic: Topic) {
        awaited[topic] = nil
        switch topic {
        case .frame: frame = nil
        case .state: state = nil
        case .labels: labels = nil
        case .step, .launch, .tooltip, .haptic, .sync, .midi, .scope, .punch, .library, .take:
            events.remove(topic)
            owed.remove(topic)
        case .audio: audio = nil
        }
    }

    /// Notes that the answer to a line was sent.
    ///
    /// - Returns: Whether a subscription waited for it.
    mutating func answered(line: Int) -> Bool {
        let lines = [frame?.unansweredLine, state?.unansweredLine, labels?.unansweredLine]
        guard lines.contains(line) || awaited.values.contains(line) else { return false }
        if frame?.unansweredLine == line { frame?.unansweredLine = nil }
        if state?.unansweredLine == line { state?.unansweredLine = nil }
        if labels?.unansweredLine == line { labels?.unansweredLine = nil }
        for topic in awaited.filter({ $0.value == line }).keys {
            awaited[topic] = nil
            begin(topic)
        }
        return true
    }
}
