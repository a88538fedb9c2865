/// Where a track's notes go.
public enum NoteTarget: Int, Named {
    /// To the track's own voices.
    case voices
    /// To the MIDI output; the track's own voices are silent.
    case midi
    /// To both.
    case both

    /// The name in files and on the control socket.
    public var name: String {
        switch self {
        case .voices: "internal"
        case .midi: "midi"
        case .both: "both"
        }
    }
}

extension Track {
    /// The MIDI channel of a new instrument's track.
    public var defaultChannel: Int {
        switch self {
        case .melody: 1
        case .chords: 2
        case .bass: 3
        case .rhythm: 10
        }
    }
}
