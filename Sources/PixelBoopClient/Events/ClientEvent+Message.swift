import Music
import Wire

extension ClientEvent {
    /// What the daemon said, for programs that pass everything on; nil for the picture and the state, of which it said only
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
}
