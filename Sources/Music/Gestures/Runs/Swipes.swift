import Grid
import Music

/// A quick, wide, horizontal drag.
struct Swipe: Equatable, Sendable {
    let client: ClientID
    /// The slot that was shown at the `down`.
    let slot: Slot
    /// Whether a pair of such swipes undoes or redoes.
    let direction: HistoryDirection
    /// The number of the machine's call with the `down`.
    let downNumber: Int
    let upAt: TouchMoment

    /// The swipe that a finger lifted now has made, nil when it was too slow, too narrow or not horizontal.
    init?(_ finger: TouchTracker, on slot: Slot, by client: ClientID, downNumber: Int, at now: TouchMoment) {
        guard let drag = finger.drag, drag.heading == .horizontal, now.elapsed(since: finger.downAt) <= Threshold.swipe,
            abs(finger.place.x - finger.start.x) >= Threshold.swipeColumns
        else { return nil }
        self.client = client
        self.slot = slot
        direction = finger.place.x < finger.start.x ? .undo : .redo
        self.downNumber = downNumber
        upAt = now
    }
}

/// A swipe that another may complete; until then it counts, and was written, as a drag.
struct FirstSwipe: Sendable {
    let swipe: Swipe
    /// The number of the machine's call with the `up`.
    let upNumber: Int
    /// The history's revision after it.
    let revision: Int
    /// Whether it changed anything.
    let hasWritten: Bool
}

/// The swipes that another may still complete: one per client and slot.
struct Swipes: Sendable {
    private var firsts: [FirstSwipe] = []

    /// Keeps a swipe that just ended as the first of a pair.
    mutating func remember(_ first: FirstSwipe) { firsts.append(first) }

    /// Removes and returns the swipe that a second one completes, nil if there is none.
    mutating func claim(_ second: Swipe, revision: Int) -> FirstSwipe? {
        firsts.removeAll {
            $0.swipe.client == second.client && second.upAt.elapsed(since: $0.swipe.upAt) > Threshold.doubleSwipe
        }
        let index = firsts.firstIndex { $0.swipe.client == second.client && $0.swipe.slot == second.slot }
        guard let first = index.map({ firsts.remove(at: $0) }), first.swipe.direction == second.direction,
            first.upNumber < second.downNumber, first.revision == revision
        else { return nil }
        return first
    }

    mutating func forget(_ client: ClientID) { firsts.removeAll { $0.swipe.client == client } }
}
