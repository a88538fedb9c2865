/// What a client may subscribe to; the name is also that of the notifications.
public enum Topic: String, CaseIterable, Sendable {
    /// The picture: a key frame, then what changes.
    case frame
    /// All settings: the whole, then what changes.
    case state
    /// Each step as it is heard.
    case step
    /// The texts that appear on the grid.
    case tooltip
    /// How the device of the touching client should shake.
    case haptic
    /// Each slot that begins to play.
    case launch
    /// What players ask of the client that holds the timeline.
    case sync
    /// What comes in at the MIDI input, and what `midi.learn` learned.
    case midi
    /// What an oscilloscope shows of the main output.
    case scope
    /// That a saved pattern came, went or changed.
    case library
    /// What the lit step cells stand for: all of them, then what changes.
    case labels
    /// What is heard, for a connection of its own.
    case audio
}
