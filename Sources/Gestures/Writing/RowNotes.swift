import Grid
import Music

extension Key {
    /// The notes that taps on a row walk through: those of its notes that are in the scale, the primary first if it is
    /// one of them, the others from low to high; where none is, the nearest to the primary. On rhythm all its drums.
    ///
    /// - Parameter row: A row of the track.
    func candidates(of track: Track, row: Int) -> [Int] {
        let primary = Layout.primaryNote(of: track, row: row)
        let notes = Layout.notes(of: track, row: row).filter { !track.isPitched || contains($0) }
        guard !notes.isEmpty else { return [snap(primary)] }
        return notes.filter { $0 == primary } + notes.filter { $0 != primary }
    }

    /// The row's note: what a gesture that begins there begins with.
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
