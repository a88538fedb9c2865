import Grid
import Music

/// A parameter of a track, or of the whole for nil.
struct ParameterPlace: Hashable {
    var parameter: Parameter
    var track: Track?
}

/// Decides which changes of parameters by hand become undo steps: what one client does to one parameter with pauses of at
/// most a second is one step.
struct ParameterSteps {
    private static let pause: Duration = .seconds(1)

    private var newest: [ParameterPlace: (client: ClientID, at: Duration)] = [:]

    /// The same changes, those of sounds and mixer as undo steps.
    ///
    /// - Parameter recorded: What is recorded as a motion, whose step is the motion's.
    mutating func steps(
        of changes: [DocumentChange], by client: ClientID, except recorded: Set<ParameterPlace>, in document: Document,
        at now: Duration
    ) -> [DocumentChange] {
        changes.map { change in
            guard case .set(let parameter, let track, let value) = change, parameter.isInHistory else { return change }
            let place = ParameterPlace(parameter: parameter, track: track)
            guard !recorded.contains(place), document.changes(parameter, on: track, to: value) else {
                return change
            }
            let continues = newest[place].map { $0.client == client && now - $0.at <= Self.pause } ?? false
            newest[place] = (client, now)
            return .adjust(parameter, on: track, to: value, continues: continues)
        }
    }

    /// Ends all steps, because of an undo or a redo, or because another pattern has come.
    mutating func end() { newest.removeAll() }
}
