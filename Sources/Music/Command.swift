/// What somebody asks of the instrument, by touch, by a program, or by a controller.
public enum Command: Equatable, Sendable {
    /// Make changes of the document, heard and kept together.
    case change([DocumentChange])
    /// Write one cell of a slot, or with nil of the one that plays; on melody the step's other notes go. Notes outside the
    /// scale are refused on a pitched track.
    case setNote(Track, slot: Int? = nil, step: Int, note: Int, Note)
    /// Change values of a note that starts on a step, or with nil of all that do; their velocities stay.
    case adjustNotes(Track, slot: Int? = nil, step: Int, note: Int? = nil, [NoteValue: Int])
    /// Start, stop or move the step clock.
    case transport(TransportRequest)
    /// Take a tap of the tempo.
    case tapTempo
    /// Launch slots, or no longer.
    case launch(LaunchRequest)
    /// Look at a track through a lens, or with nil no longer.
    case look(Track, through: Lens?)
    /// Hold FILL for a program, or no longer.
    case fill(Bool)
    /// Make what the dice and cycles of a track's last whole pass decided stay.
    case freeze(Track)
    /// Give the notes that a track plays a lens's default.
    case reset(Track, Lens)

    /// Set a parameter.
    public static func set(_ parameter: Parameter, on track: Track? = nil, to value: ParameterValue) -> Command {
        .change([.set(parameter, on: track, to: value)])
    }
}
