import Grid
import Music
import Synchronization
import Wire

/// The events of one subscriber: filled by the connection, emptied by the iterator.
final class Feed: Sendable {
    typealias Waiter = CheckedContinuation<ClientEvent?, any Error>

    private struct Contents {
        var queue = EventQueue()
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []
        var nextWaiter = 0
        var end: ClientError?
        var isClosed = false
    }

    private enum Next {
        case event(ClientEvent)
        case end(ClientError?)
        case wait
    }

    let topics: Set<Topic>
    private let contents = Mutex(Contents())

    init(topics: Set<Topic>) {
        self.topics = topics
    }

    /// Events lost because nobody took them in time.
    var dropped: Int { contents.withLock { $0.queue.dropped } }

    func send(_ event: ClientEvent) {
        guard event.topic.map(topics.contains) ?? true else { return }
        let delivery = contents.withLock { contents -> (Waiter, ClientEvent?)? in
            contents.queue.append(event)
            guard let waiter = contents.waiters.keys.min() else { return nil }
            return contents.waiters.removeValue(forKey: waiter).map { ($0, contents.queue.next()) }
        }
        if let (waiter, event) = delivery { waiter.resume(returning: event) }
    }

    /// No more events will come: after those that wait, iterating throws the error, or ends if there is none.
    func finish(_ error: ClientError?) {
        let waiters = contents.withLock { contents in
            guard !contents.isClosed else { return [Waiter]() }
            contents.isClosed = true
            contents.end = error
            defer { contents.waiters = [:] }
            return Array(contents.waiters.values)
        }
        for waiter in waiters {
            if let error { waiter.resume(throwing: error) } else { waiter.resume(returning: nil) }
        }
    }

    /// The next event; nil at the end, and when the task is cancelled.
    func next() async throws -> ClientEvent? {
        let id = contents.withLock { contents in
            contents.nextWaiter += 1
            return contents.nextWaiter
        }
        // Behind the handler's scope: a cancellation is either over by then or never comes.
        defer { _ = contents.withLock { $0.cancelled.remove(id) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(id, $0) }
        } onCancel: {
            cancel(id)
        }
    }

    private func wait(_ id: Int, _ waiter: Waiter) {
        let next = contents.withLock { contents -> Next in
            if contents.cancelled.contains(id) { return .end(nil) }
            if let event = contents.queue.next() { return .event(event) }
            if contents.isClosed { return .end(contents.end) }
            contents.waiters[id] = waiter
            return .wait
        }
        switch next {
        case .event(let event): waiter.resume(returning: event)
        case .end(let error?): waiter.resume(throwing: error)
        case .end(nil): waiter.resume(returning: nil)
        case .wait: break
        }
    }

    private func cancel(_ id: Int) {
        let waiter = contents.withLock { contents in
            contents.cancelled.insert(id)
            return contents.waiters.removeValue(forKey: id)
        }
        waiter?.resume(returning: nil)
    }
}

/// What waits for a subscriber: at most one picture and one state, the newest, and a bounded number of events that happen
/// once. A subscriber that is slow misses pictures in between and the oldest of those events, never the present.
struct EventQueue {
    /// Events that happen once (steps, tooltips, haptics) and wait at the same time, at most.
    static let capacity = 256

    private var frame: KeyFrame?
    private var state: StateSnapshot?
    private var labels: Labels?
    private var moments: [ClientEvent] = []

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

    /// Takes the next event out: what happened once in its order, then the present.
    mutating func next() -> ClientEvent? {
        if !moments.isEmpty { return moments.removeFirst() }
        if let state = state.take() { return .state(state) }
        if let frame = frame.take() { return .frame(frame) }
        return labels.take().map { .labels($0) }
    }
}
