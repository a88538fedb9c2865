import Music

/// A request to the instrument from a touch, a program, or a controller.
public enum Command: Equatable, Sendable {
    /// Change the document; all changes together.
    case change([DocumentChange])
    /// Write one cell of a slot, or of the playing slot for nil; on melody the step's other notes are removed. Notes
    /// outside the scale are refused on a pitched track.
    case setNote(Track, slot: Int? = nil, step: Int, note: Int, Note)
    /// Change values of a note that starts on a step, or of all such notes for nil; velocities stay.
    case adjustNotes(Track, slot: Int? = nil, step: Int, note: Int? = nil, [NoteValue: Int])
    /// Start, stop or move the step clock.
    case transport(TransportRequest)
    /// Write keys that were played, but not recorded.
    case catchKeys
    case tapTempo
    /// Launch slots, or cancel launches.
    case launch(LaunchRequest)
    /// Open a lens on a track, or with nil close it.
    case look(Track, through: Lens?)
    /// Hold or release FILL for a program.
    case fill(Bool)
    /// Freeze the decisions of dice and cycles in a track's last whole pass.
    case freeze(Track)
    /// Reset the notes that a track plays to a lens's default.
    case reset(Track, Lens)

    public static func set(_ parameter: Parameter, on track: Track? = nil, to value: ParameterValue) -> Command {
        .change([.set(parameter, on: track, to: value)])
    }
}
