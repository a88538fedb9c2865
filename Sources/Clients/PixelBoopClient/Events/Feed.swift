import Grid
import Synchronization
import Wire

/// The events of one subscriber: filled by the connection, emptied by the iterator.
final class Feed: Sendable {
    private struct Contents {
        var queue = EventQueue()
        /// Tasks that wait for a change, and then look again.
        var waiters: Set<AsyncStream<Never>.Continuation> = []
        var end: ClientError?
        var isClosed = false
    }

    let topics: Set<Topic>
    private let contents = Mutex(Contents())

    init(topics: Set<Topic>) {
        self.topics = topics
    }

    /// How many events were lost because the subscriber was slow.
    var dropped: Int { contents.withLock { $0.queue.dropped } }

    func send(_ event: ClientEvent) {
        guard event.topic.map(topics.contains) ?? true else { return }
        change { $0.queue.append(event) }
    }

    /// Ends the feed: after the events that wait, iterating throws the error, or ends if there is none.
    ///
    /// - Returns: Whether it had not ended before.
    @discardableResult
    func finish(_ error: ClientError?) -> Bool {
        change { contents in
            guard !contents.isClosed else { return false }
            (contents.isClosed, contents.end) = (true, error)
            return true
        }
    }

    private func change<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
        let (result, waiters) = contents.withLock { contents in
            let result = body(&contents)
            defer { contents.waiters = [] }
            return (result, contents.waiters)
        }
        for waiter in waiters { waiter.finish() }
        return result
    }

    /// The next event; nil at the end, and when the task is cancelled.
    func next() async throws -> ClientEvent? {
        while !Task.isCancelled {
            let (news, waiter) = AsyncStream<Never>.makeStream()
            let (event, end, isClosed) = contents.withLock { contents in
                let event = contents.queue.next()
                if event == nil { contents.waiters.insert(waiter) }
                return (event, contents.end, contents.isClosed)
            }
            if let event { return event }
            if let end { throw end }
            if isClosed { return nil }
            for await _ in news {}
            // The waiter is still there if the task was cancelled.
            contents.withLock { _ = $0.waiters.remove(waiter) }
        }
        return nil
    }
}

/// The events that wait for a subscriber: at most one picture and one state, the newest, and a limited number of
/// one-time events. A slow subscriber misses intermediate pictures and the oldest of those events, but never the
/// current picture and state.
struct EventQueue {
    /// How many one-time events (steps, tooltips, haptics) may wait.
    static let capacity = 256

    private var frame: KeyFrame?
    private var state: StateSnapshot?
    private var labels: Labels?
    private var moments: [ClientEvent] = []
    /// Which kind of event was removed last, or looked for.
    private var turn = 0

    /// How many events were lost because the subscriber was slow.
    private(set) var dropped = 0

    mutating func append(_ event: ClientEvent) {
        switch event {
        case .frame(let keyFrame): frame = keyFrame
        case .state(let snapshot): state = snapshot
        case .labels(let newest): labels = newest
        default:
            if moments.count == EventQueue.capacity {
                moments.removeFirst()
                dropped += 1
            }
            moments.append(event)
        }
    }

    /// Removes the next event. State, picture, labels and one-time events take turns, so that none of them keeps the
    /// others waiting.
    mutating func next() -> ClientEvent? {
        for _ in 0..<4 {
            turn = (turn + 1) % 4
            if let event = fetch() { return event }
        }
        return nil
    }

    /// Removes the next event of the kind whose turn it is.
    private mutating func fetch() -> ClientEvent? {
        switch turn {
        case 1: state.take().map(ClientEvent.state)
        case 2: frame.take().map(ClientEvent.frame)
        case 3: labels.take().map(ClientEvent.labels)
        default: moments.isEmpty ? nil : moments.removeFirst()
        }
    }
}
