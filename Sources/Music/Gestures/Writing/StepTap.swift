import Grid
import Music

/// What taps and holds on a cell do. Only the row's candidates count; other notes on the step are ignored, and on a
/// pitched track replaced.
struct StepTap: Sendable {
    /// What a tap or a hold writes or removes, and the note that names it.
    struct Result: Equatable, Sendable {
        let writing: Writing
        let namedNote: Int
    }

    private let track: Track
    private let step: Int
    private let key: Key
    private let sounding: StepNotes
    private let candidates: [Int]

    /// - Parameters:
    ///   - row: A row of the track.
    ///   - sounding: The step's notes.
    init(_ track: Track, step: Int, row: Int, in key: Key, on sounding: StepNotes) {
        self.track = track
        self.step = step
        self.key = key
        self.sounding = sounding
        candidates = key.candidates(of: track, row: row)
    }

    /// A tap walks through the candidates and, after the last, empties the cell; on rhythm it changes only its row.
    var tap: Result {
        let present = presentCandidates
        guard let last = present.first else { return tapped(candidates[0]) }
        let next = candidates.drop { $0 != last }.dropFirst().first
        guard present.count == 1, let next else { return tapped(StepNotes(), named: last) }
        return tapped(next)
    }

    /// A hold turns sounding notes into accents that keep their values, or writes one; it never removes notes.
    var accent: Result {
        let present = presentCandidates
        let first = present.first ?? candidates[0]
        let notes =
            track.isPitched
            ? key.tapNotes(on: first, of: track, .accent)
            : StepNotes(NoteSet(present).union([first]), .accent)
        let accented = notes.keepingValues(of: sounding)
        return Result(writing: Writing(track, replacing: [.init(step: step, notes: accented)]), namedNote: first)
    }

    /// The candidates that the step holds: on chords and bass a chord, hence at most one.
    private var presentCandidates: [Int] {
        let notes = sounding.notes
        switch track {
        case .melody, .rhythm:
            return candidates.filter { notes.contains($0) }
        case .chords, .bass:
            let held = candidates.first { notes == [$0] || notes == key.tapNotes(on: $0, of: track, .normal).notes }
            return held.map { [$0] } ?? []
        }
    }

    private func tapped(_ note: Int) -> Result {
        tapped(key.tapNotes(on: note, of: track, .normal), named: note)
    }

    private func tapped(_ notes: StepNotes, named note: Int) -> Result {
        let cleared = track.isPitched ? .all : NoteSet(candidates)
        return Result(writing: Writing(track, clearing: cleared, [.init(step: step, notes: notes)]), namedNote: note)
    }
}

extension Key {
    /// The notes that taps on a row walk through: its notes in the scale, the primary first if it is one of them, the
    /// others from low to high; without any, the note nearest to the primary. On rhythm all its drums.
    ///
    /// - Parameter row: A row of the track.
    func candidates(of track: Track, row: Int) -> [Int] {
        let primary = Layout.primaryNote(of: track, row: row)
        let notes = Layout.notes(of: track, row: row).filter { !track.isPitched || contains($0) }
        guard !notes.isEmpty else { return [snap(primary)] }
        return notes.filter { $0 == primary } + notes.filter { $0 != primary }
    }

    /// The row's note, with which a gesture on the row begins.
    ///
    /// - Parameter row: A row of the track.
    func note(of track: Track, row: Int) -> Int { candidates(of: track, row: row)[0] }

    /// What a tap on a note writes: the note, on chords its triad, on bass its fifth too, which is never accented.
    func tapNotes(on note: Int, of track: Track, _ velocity: Velocity) -> StepNotes {
        switch track {
        case .melody, .rhythm: return StepNotes([note], velocity)
        case .chords: return StepNotes(NoteSet(triad(on: note)), velocity)
        case .bass: return bassNotes(root: note, fifth: fifth(above: note), velocity)
        }
    }

    /// A bass note with its fifth, which is never accented.
    func bassNotes(root: Int, fifth: Int, _ velocity: Velocity) -> StepNotes {
        var notes = StepNotes([fifth], .normal)
        notes[root] = velocity
        return notes
    }
}
