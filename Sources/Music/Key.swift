/// A root and a scale: which of a track's twelve notes may be written, and the chords on them.
public struct Key: Hashable, Sendable {
    /// The note that the scale starts on.
    public var root: PitchClass
    /// Which notes belong to the key.
    public var scale: Scale

    /// A key; C major unless told otherwise.
    public init(root: PitchClass = PitchClass(0), scale: Scale = .major) {
        self.root = root
        self.scale = scale
    }

    /// The notes 0 to 11 of a track that are in the scale.
    public var notes: NoteSet {
        NoteSet(scale.intervals.map { (root.number + $0) % 12 })
    }

    /// Whether a note, 0 to 11, is in the scale.
    public func contains(_ note: Int) -> Bool { notes.contains(note) }

    /// The nearest note of the scale within the track's twelve, of two equally near the higher.
    public func snap(_ note: Int) -> Int {
        snap(Double(note))
    }

    /// The note of the scale nearest to a place between notes, of two equally near the higher.
    public func snap(_ place: Double) -> Int {
        var best = 0
        var bestDistance = Double.infinity
        for note in notes where abs(Double(note) - place) <= bestDistance {
            best = note
            bestDistance = abs(Double(note) - place)
        }
        return best
    }
}
