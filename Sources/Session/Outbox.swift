import Gestures
import Grid
import Music

/// Something that subscribers hear of once.
public enum SessionEvent: Equatable, Sendable {
    /// A step of the whole or of tracks started: the steps, the audio frame and JACK's time in µs at which that was heard.
    case step(step: Int, tracks: [Track: Int], frame: Int64, usecs: UInt64)
    /// A slot begins to play: the audio frame and JACK's time in µs from which it is heard, nil without audio.
    case launch(Slot, frame: Int64?, usecs: UInt64?)
    /// A text is on the grid for so many milliseconds from now; nil as long as its drag is under way, 0 when it is gone.
    case tooltip(Tooltip, milliseconds: Int?)
    /// A client's device should shake.
    case haptic(ClientID, Haptic)
    /// The client that holds the timeline is asked for something.
    case request(ClientID, TimelineRequest)
    /// A message came in at the MIDI input.
    case midi(ArrivedMessage)
    /// What an oscilloscope shows, in thousandths of full scale: the lowest and the highest sample of each part of the
    /// main output alternate; then the tracks' peaks; JACK's time of its end in µs.
    case scope(usecs: UInt64, main: [Int], peaks: [Int])
}

/// What is new for those who watch: events, and whether state and picture are others.
final class Outbox {
    /// Counts changes of anything that the protocol's `state` shows.
    private(set) var stateRevision = 0
    /// Whether something that the grid shows has changed since it was drawn.
    private(set) var needsRedraw = true
    private var events: [SessionEvent] = []

    /// Something which the protocol's `state` or the grid shows is different.
    func stateChanged() {
        stateRevision += 1
        needsRedraw = true
    }

    /// Something which only the grid shows is different.
    func sceneChanged() { needsRedraw = true }

    /// The grid has been drawn as it is now.
    func sceneDrawn() { needsRedraw = false }

    func emit(_ event: SessionEvent) { events.append(event) }

    /// Drops the steps that nobody has been sent yet.
    func withdrawSteps() {
        events.removeAll { if case .step = $0 { true } else { false } }
    }

    /// The events since the last call.
    func removeEvents() -> [SessionEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }
}
