import Grid
import JSON
import Music
import Wire

/// Something that a subscriber is sent.
public enum ClientEvent: Equatable, Sendable {
    /// The picture as it is now, all diffs applied.
    case frame(KeyFrame)
    /// The state as it is now, all patches applied.
    case state(StateSnapshot)
    /// A step started.
    case step(StepEvent)
    /// A slot begins to play.
    case launch(LaunchEvent)
    /// A text appeared on the grid.
    case tooltip(TooltipEvent)
    /// This client's device should shake.
    case haptic(HapticEvent)
    /// This client, which holds the timeline, is asked for something.
    case sync(TimelineRequest)
    /// What comes in at the MIDI input, or was learned.
    case midi(MidiNews)
    /// What an oscilloscope shows; 30 times a second.
    case scope(ScopeEvent)
    /// A saved pattern came, went or changed.
    case library(LibraryEvent)
    /// What the cells stand for now, all changes applied.
    case labels(Labels)
    /// What is heard; 50 times a second.
    case audio(AudioEvent)
    /// The daemon is about to end; the connection follows.
    case bye(Bye)
}

/// The whole state at one moment.
public struct StateSnapshot: Equatable, Sendable {
    /// The state, typed.
    public let state: InstrumentState
    /// The state as the daemon sent it, members that this version does not know included.
    public let json: JSONValue

    init(_ json: JSONValue) throws(FieldError) {
        self.json = json
        state = try InstrumentState(json: json)
    }
}

extension ClientEvent {
    /// What happens once; nil for what a client keeps up to date.
    init?(_ message: any NotificationMessage) {
        switch message {
        case let event as StepEvent: self = .step(event)
        case let event as LaunchEvent: self = .launch(event)
        case let event as TooltipEvent: self = .tooltip(event)
        case let event as HapticEvent: self = .haptic(event)
        case let event as TimelineRequest: self = .sync(event)
        case let event as MidiNews: self = .midi(event)
        case let event as ScopeEvent: self = .scope(event)
        case let event as LibraryEvent: self = .library(event)
        case let event as AudioEvent: self = .audio(event)
        case let event as Bye: self = .bye(event)
        default: return nil
        }
    }

    /// What the daemon said, for programs that pass everything on; nil for picture, state and labels, of which it said only
    /// what changed.
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
        case .library(let event): event
        case .audio(let event): event
        case .bye(let event): event
        }
    }

    /// The topic that it belongs to; nil for what every subscriber is sent.
    var topic: Topic? {
        switch self {
        case .frame: .frame
        case .state: .state
        case .labels: .labels
        default: message.flatMap { Topic(rawValue: type(of: $0).method) }
        }
    }
}
