import Grid
import Wire

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
