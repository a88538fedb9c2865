import Grid
import Music

/// A track's notes as a lens of notes shows them: how far each is from the default.
struct LensCells {
    private let notes: ShownNotes
    private let track: Track
    private let value: NoteValue

    init(_ notes: ShownNotes, of track: Track, _ value: NoteValue) {
        self.notes = notes
        self.track = track
        self.value = value
    }

    /// The place among the value's choices that a cell shows: of its notes that start here, else of those that go on, the first
    /// that is no default; nil where there is none.
    func choice(among row: NoteSet, at step: Int) -> (place: Int, isSustain: Bool)? {
        let cell = notes[track, step]
        let heads = cell.heads.intersection(row)
        let shown = heads.isEmpty ? cell.notes.intersection(row) : heads
        guard !shown.isEmpty else { return nil }
        let places = shown.lazy.map { value.choice(nearest: notes.head(of: track, $0, at: step)[value]) }
        return (places.first { $0 > 0 } ?? 0, heads.isEmpty)
    }

    /// How strong the lens's colour is in a cell, nil where there is no note.
    func alpha(among row: NoteSet, at step: Int) -> Alpha? {
        choice(among: row, at: step).map { alpha(of: $0.place, isSustain: $0.isSustain) }
    }

    /// 0.25 for the default, the others evenly from 0.45 to 1 in the order of the choices; sustain cells half of that.
    private func alpha(of place: Int, isSustain: Bool) -> Alpha {
        let parts = value.row.choices.count - 2
        let whole = 100 * parts * (isSustain ? 2 : 1)
        return place == 0 ? Alpha(25 * parts, of: whole) : Alpha(45 * parts + 55 * (place - 1), of: whole)
    }
}
