import Gestures
import Grid
import Instrument
import Music

/// Something that is sent to subscribers once.
public enum SessionEvent: Equatable, Sendable {
    case step(StepEvent)
    case launch(LaunchEvent)
    /// A text is on the grid for this many milliseconds from now: nil while its drag is under way, 0 when it is gone.
    case tooltip(Tooltip, milliseconds: Int?)
    /// A client's device should vibrate.
    case haptic(ClientID, Haptic)
    /// A request to the client that holds the timeline.
    case request(ClientID, TimelineRequest)
    case midi(ArrivedMessage)
    case scope(ScopeEvent)
    case punch(PunchEvent)
}

/// The news for subscribers: events, and whether state and picture have changed.
final class Outbox {
    /// Counts changes to anything that the protocol's `state` shows.
    private(set) var stateRevision = 0
    /// Whether something that the grid shows has changed since it was drawn.
    private(set) var needsRedraw = true
    private var events: [SessionEvent] = []

    /// Something that the protocol's `state` or the grid shows has changed.
    func stateChanged() {
        stateRevision += 1
        needsRedraw = true
    }

    /// Something that only the grid shows has changed.
    func sceneChanged() { needsRedraw = true }

    /// The grid has been drawn as it is now.
    func sceneDrawn() { needsRedraw = false }

    func emit(_ event: SessionEvent) { events.append(event) }

    /// Reports a punch-in: of its amounts that nobody was sent, the newest.
    func emit(_ punch: PunchEvent) {
        let earlier = events.lastIndex { event in
            if case .punch(let other) = event { other.effect == punch.effect } else { false }
        }
        if let earlier, punch.isHeld, case .punch(let last) = events[earlier], last.isHeld {
            events.remove(at: earlier)
        }
        emit(.punch(punch))
    }

    /// Drops steps that have not been sent yet.
    func withdrawSteps() {
        events.removeAll { if case .step = $0 { true } else { false } }
    }

    /// The events since the last call.
    func removeEvents() -> [SessionEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }
}
