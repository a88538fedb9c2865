public typealias PerTrack<Value> = InlineArray<4, Value>

/// One value for each note of a track.
public typealias PerNote<Value> = InlineArray<12, Value>

/// One of the four tracks of a pattern.
///
/// The cases are in the order of the grid, from top to bottom.
public enum Track: Int, Named {
    case melody
    case chords
    case bass
    case rhythm

    /// Notes of a track, numbered from 0: semitones above its lowest C, or drums.
    public static let noteCount = PerNote<Bool>.count

    public var name: String {
        switch self {
        case .melody: "melody"
        case .chords: "chords"
        case .bass: "bass"
        case .rhythm: "rhythm"
        }
    }

    /// Whether notes are pitches; on rhythm they are drums.
    public var isPitched: Bool { self != .rhythm }

    /// The MIDI note number of note 0 of a pitched track (60 = C4); 0 for rhythm, whose drums have no common base.
    public var lowestPitch: Int {
        switch self {
        case .melody: 60
        case .chords: 48
        case .bass: 36
        case .rhythm: 0
        }
    }

    /// The MIDI note number of a note: its pitch, or the General MIDI key of the drum.
    ///
    /// - Parameter note: 0 to 11.
    public func midiPitch(of note: Int) -> Int {
        self == .rhythm ? Drum.allCases[note].generalMIDIKey : lowestPitch + note
    }

    /// The note of a MIDI note number, nil when the track has none.
    public func note(atMIDIPitch pitch: Int) -> Int? {
        if self == .rhythm {
            return Drum.allCases.firstIndex { $0.generalMIDIKey == pitch }
        }
        let pitches = lowestPitch..<lowestPitch + Track.noteCount
        return pitches.contains(pitch) ? pitch - lowestPitch : nil
    }
}

/// Where a track's notes go.
public enum NoteTarget: String, Named {
    /// To the track's own voices.
    case voices = "internal"
    /// To the MIDI output; the track's own voices are silent.
    case midi
    case both
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

extension Track {
    /// The built-in sounds that the track can be played with, by name: presets of a pitched track, kits of rhythm. The first is
    /// what a new instrument has.
    public var soundNames: [String] {
        switch self {
        case .melody: ["Sine", "Pluck", "Lead", "Pulse", "Bell", "Tine", "Mallet", "Reed"]
        case .chords: ["Triangle", "Warm pad", "E-piano", "Organ", "Stab", "Strings", "Glass", "Hollow"]
        case .bass: ["Saw", "Sub+", "Acid", "Round", "FM bass", "Reese", "Square", "Pick"]
        case .rhythm: ["Classic", "808", "909", "CR-78", "Industrial", "808 II", "909 II"]
        }
    }

    /// The parameter that chooses among ``soundNames``.
    public var soundParameter: Parameter { isPitched ? .preset : .kit }
}
