/// What the cells of a track show, and fingers change, in place of its pitches: a row of the table below.
///
/// A new lens is a new row, with a colour in `Rendering/Palette`; state, methods and the meter's ring follow from the row.
public enum Lens: Int, Named {
    case level
    case chance
    case cycle
    case ratchet
    case nudge
    case length
    case speed
    case gain
    case pan
    case tone
    case reverb
    case delay

    /// What a lens shows.
    public enum Kind: Equatable, Sendable {
        /// A value of the notes.
        case notes(NoteValue)
        /// The length of the slot's own loop.
        case length
        /// How fast the slot's steps follow each other.
        case speed
        /// How a parameter moves.
        case motion(Parameter)
    }

    /// What it shows.
    public var kind: Kind { row.kind }

    /// The name in files and on the control socket.
    public var name: String { row.name }

    /// What the table says of the lens.
    private var row: (name: String, kind: Kind) {
        switch self {
        case .level: notes(.level)
        case .chance: notes(.chance)
        case .cycle: notes(.cycle)
        case .ratchet: notes(.ratchet)
        case .nudge: notes(.nudge)
        case .length: ("length", .length)
        case .speed: ("speed", .speed)
        case .gain: motion(.gain)
        case .pan: motion(.pan)
        case .tone: motion(.tone)
        case .reverb: motion(.reverb)
        case .delay: motion(.delay)
        }
    }

    private func motion(_ parameter: Parameter) -> (String, Kind) { (parameter.row.name, .motion(parameter)) }

    private func notes(_ value: NoteValue) -> (String, Kind) { (value.row.name, .notes(value)) }
}

/// The lens that each track is looked at through. State of the instrument, which all see, and no part of the document.
public struct OpenLenses: Hashable, Sendable {
    private var lenses = [Lens?](repeating: nil, count: Track.allCases.count)
    /// The lens that each track had last.
    private var latest = [Lens](repeating: .level, count: Track.allCases.count)

    /// None is open; each track's first is LEVEL.
    public init() {}

    /// The open lens of a track, nil for none.
    public subscript(track: Track) -> Lens? {
        get { lenses[track.rawValue] }
        set {
            lenses[track.rawValue] = newValue
            if let newValue { latest[track.rawValue] = newValue }
        }
    }

    /// The lens that a track has, or had last.
    public func latest(of track: Track) -> Lens { latest[track.rawValue] }

    /// The next or previous lens of a track's ring, round and round: those of motions are in it that have points.
    public func neighbour(of track: Track, isNext: Bool, moving motions: Motions) -> Lens {
        let ring = Lens.allCases.filter { lens in
            guard lens != latest(of: track), case .motion(let parameter) = lens.kind else { return true }
            return !motions[parameter].isEmpty
        }
        let place = ring.firstIndex(of: latest(of: track)) ?? 0
        return ring[(place + (isNext ? 1 : ring.count - 1)) % ring.count]
    }
}
