import Grid
import Instrument
import JSON
import Music
import Wire

/// Something that a subscriber is sent.
public enum ClientEvent: Equatable, Sendable {
    /// The current picture, all diffs applied.
    case frame(KeyFrame)
    /// The current state, all patches applied.
    case state(StateSnapshot)
    /// A step started.
    case step(StepEvent)
    /// A slot begins to play.
    case launch(LaunchEvent)
    /// A text appeared on the grid.
    case tooltip(TooltipEvent)
    /// This client's device should shake.
    case haptic(HapticEvent)
    /// A request to this client, which holds the timeline.
    case sync(TimelineRequest)
    /// A message that arrived at the MIDI input, or the result of learning a binding.
    case midi(MidiNews)
    /// The oscilloscope's trace; 30 times a second.
    case scope(ScopeEvent)
    /// A punch-in began, moved or ended.
    case punch(PunchEvent)
    /// A saved pattern appeared, changed or was removed.
    case library(LibraryEvent)
    /// What the cells currently stand for, all changes applied.
    case labels(Labels)
    /// The list of takes has changed, or a render of this client has come further.
    case take(TakeEvent)
    /// The audio output; 50 times a second.
    case audio(AudioEvent)
    /// The daemon is about to end; then the connection does.
    case bye(Bye)
}

/// The whole state at one moment.
public struct StateSnapshot: Equatable, Sendable {
    /// The state, typed.
    public let state: InstrumentState
    /// The state as the daemon sent it, including members that this version does not know.
    public let json: JSONValue

    init(_ json: JSONValue) throws(FieldError) {
        self.json = json
        state = try InstrumentState(json: json)
    }
}

extension ClientEvent {
    /// A one-time event; nil for a message that updates picture, state or labels.
    init?(_ message: any NotificationMessage) {
        switch message {
        case let event as StepEvent: self = .step(event)
        case let event as LaunchEvent: self = .launch(event)
        case let event as TooltipEvent: self = .tooltip(event)
        case let event as HapticEvent: self = .haptic(event)
        case let event as TimelineRequest: self = .sync(event)
        case let event as MidiNews: self = .midi(event)
        case let event as ScopeEvent: self = .scope(event)
        case let event as PunchEvent: self = .punch(event)
        case let event as LibraryEvent: self = .library(event)
        case let event as TakeEvent: self = .take(event)
        case let event as AudioEvent: self = .audio(event)
        case let event as Bye: self = .bye(event)
        default: return nil
        }
    }

    /// The daemon's message, for programs that pass everything on; nil for picture, state and labels, of which the
    /// daemon sent only changes.
    public var message: (any NotificationMessage)? {
        switch self {
        case .frame, .state, .labels: nil
        case .step(let event): event
        case .launch(let event): event
        case .tooltip(let event): event
        case .haptic(let event): event
        case .sync(let event): event
        case .midi(let event): event
        case .scope(let event): event
        case .punch(let event): event
        case .library(let event): event
        case .take(let event): event
        case .audio(let event): event
        case .bye(let event): event
        }
    }

    /// The topic that it belongs to; nil for events that every subscriber is sent.
    var topic: Topic? {
        switch self {
        case .frame: .frame
        case .state: .state
        case .labels: .labels
        default: message.flatMap { Topic(rawValue: type(of: $0).method) }
        }
    }
}
