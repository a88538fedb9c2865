extension Track {
    /// The built-in sounds that the track can be played with, by name: presets of a pitched track, kits of rhythm. The first is
    /// what a new instrument has.
    public var soundNames: [String] {
        switch self {
        case .melody: ["Sine", "Pluck", "Lead", "Pulse", "Bell", "Tine", "Mallet", "Reed"]
        case .chords: ["Triangle", "Warm pad", "E-piano", "Organ", "Stab", "Strings", "Glass", "Hollow"]
        case .bass: ["Saw", "Sub+", "Acid", "Round", "FM bass", "Reese", "Square", "Pick"]
        case .rhythm: ["Classic", "808", "909", "CR-78", "Industrial"]
        }
    }

    /// The parameter that chooses among ``soundNames``.
    public var soundParameter: Parameter { isPitched ? .preset : .kit }
}
