/// A root and a scale: which of a track's twelve notes may be written, and the chords on them.
public struct Key: Hashable, Sendable {
    /// The note that the scale starts on.
    public var root: PitchClass
    /// Which notes belong to the key.
    public var scale: Scale

    /// A key; C major by default.
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

/// A pitch without its octave: 0 = C, 1 = C#, … 11 = B.
public struct PitchClass: Hashable, Named {
    /// 0 to 11.
    public let number: Int

    /// The pitch class of any pitch; negative ones wrap into 0 to 11.
    public init(_ pitch: Int) {
        number = (pitch % 12 + 12) % 12
    }

    /// C to B.
    public static let allCases = (0..<12).map { PitchClass($0) }

    private static let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

    /// The name in files, on the control socket and on the grid, with sharps.
    public var name: String { PitchClass.names[number] }
}

/// The scales that an instrument can be in.
public enum Scale: String, Named {
    case major
    case minor
    case penta

    /// Semitones above the root, from low to high.
    public var intervals: [Int] {
        switch self {
        case .major: [0, 2, 4, 5, 7, 9, 11]
        case .minor: [0, 2, 3, 5, 7, 8, 10]
        case .penta: [0, 2, 4, 7, 9]
        }
    }

    /// The seven-note scale that chords are stacked in: penta borrows from major.
    var chordIntervals: [Int] {
        self == .penta ? Scale.major.intervals : intervals
    }
}
