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
    case width
    case filter
    case drive
    case lfoDepth

    /// What a lens shows.
    public enum Kind: Equatable, Sendable {
        case notes(NoteValue)
        /// The length of the slot's own loop.
        case length
        /// How fast the slot's steps follow each other.
        case speed
        /// How a parameter moves.
        case motion(Parameter)
    }

    public var kind: Kind { row.kind }

    /// The name in files and on the control socket.
    public var name: String { row.name }

    /// The lens's row of the table.
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
        case .width: motion(.width)
        case .filter: motion(.filter)
        case .drive: motion(.drive)
        case .lfoDepth: motion(.lfoDepth)
        }
    }

    private func motion(_ parameter: Parameter) -> (String, Kind) { (parameter.row.name, .motion(parameter)) }

    private func notes(_ value: NoteValue) -> (String, Kind) { (value.row.name, .notes(value)) }
}

/// The lens that is open on each track: state of the instrument, shared by all clients, and not part of the document.
public struct OpenLenses: Hashable, Sendable {
    private var lenses = [Lens?](repeating: nil, count: Track.allCases.count)
    /// The lens that each track had last.
    private var latest = [Lens](repeating: .level, count: Track.allCases.count)

    /// No lens is open; each track's first is LEVEL.
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

    /// The next or previous lens of a track's ring. A motion's lens is in the ring if it has points, or was open last.
    public func neighbour(of track: Track, isNext: Bool, moving motions: Motions) -> Lens {
        let ring = Lens.allCases.filter { lens in
            guard lens != latest(of: track), case .motion(let parameter) = lens.kind else { return true }
            return !motions[parameter].isEmpty
        }
        let place = ring.firstIndex(of: latest(of: track)) ?? 0
        return ring[(place + (isNext ? 1 : ring.count - 1)) % ring.count]
    }
}

// Lenses show the row's choices, and fingers choose from them. A value in between, set by a program, is shown and
// counts as the nearest of them.

extension NoteValue {
    /// The index of the row's choice that is nearest to a number; of two equally near the first. Cycles are compared by
    /// the share of the passes in which they play.
    public func choice(nearest number: Int) -> Int {
        let choices = row.choices
        if let place = choices.firstIndex(of: number) { return place }
        func distance(_ choice: Int) -> Double {
            guard self == .cycle else { return Double(abs(choice - number)) }
            guard let share = Cycle.share(choice), let wanted = Cycle.share(number) else { return .infinity }
            return abs(share - wanted)
        }
        return choices.indices.min { distance(choices[$0]) < distance(choices[$1]) } ?? 0
    }

    /// The choice after a number in the row's list; the first follows the last.
    public func next(after number: Int) -> Int {
        let choices = row.choices
        return choices[(choice(nearest: number) + 1) % choices.count]
    }

    /// The choice this many places above a number, or below it, but no further than the ends; cycles are in the order
    /// of the list.
    public func moved(_ number: Int, by count: Int) -> Int {
        let rising = row.choices.sorted()
        let place = rising.firstIndex(of: row.choices[choice(nearest: number)]) ?? 0
        return rising[min(max(place + count, 0), rising.count - 1)]
    }
}

extension StepNotes {
    /// The index of the choice to show for those notes of a set that start here: the first that is not the default.
    public func choice(of value: NoteValue, among set: NoteSet) -> Int {
        heads.intersection(set).lazy.map { value.choice(nearest: self[whole: $0][value]) }.first { $0 > 0 } ?? 0
    }

    /// These notes with a value set for some of those that start here.
    public func setting(_ value: NoteValue, of set: NoteSet, to number: Int) -> StepNotes {
        var result = self
        for note in heads.intersection(set) { result[whole: note][value] = number }
        return result
    }
}

extension SlotNotes {
    /// These notes with the decisions of dice and cycles in one pass made permanent: notes that did not play are
    /// removed, those that did lose chance and cycle. Steps beyond the loop stay as they are. FILL counts as not held.
    ///
    /// - Parameters:
    ///   - time: When the steps are played.
    ///   - firstPass: The pass in which they began to play.
    public func frozen(
        on track: Track, in time: TrackTime, pass: Int64, firstPass: Int64, by dice: Dice
    ) -> SlotNotes {
        var result = self
        for step in 0..<min(time.length, SlotNotes.stepCount) {
            let turn = StepTurn(
                track: track.rawValue, count: time.start(ofPass: pass) + Int64(step), pass: pass, firstPass: firstPass)
            for number in self[step].heads {
                var note = self[step][whole: number]
                if note.plays(number, at: turn, by: dice) {
                    for value in [NoteValue.chance, .cycle] { note[value] = Note()[value] }
                } else {
                    note = Note()
                }
                result[step][whole: number] = note
            }
        }
        return result
    }

    /// The slot with a lens's default, on hidden steps too.
    public func resetting(_ lens: Lens) -> SlotNotes {
        var result = self
        switch lens.kind {
        case .notes(let value): result = resetting(value)
        case .length: result.length = nil
        case .speed: result.speed = .normal
        case .motion(let parameter): result.motions.clear(parameter)
        }
        return result
    }

    private func resetting(_ value: NoteValue) -> SlotNotes {
        var result = self
        for step in 0..<SlotNotes.stepCount {
            result[step] = self[step].setting(value, of: .all, to: Note()[value])
        }
        return result
    }
}
