import Grid
import Music

extension Labels {
    /// The names of the notes in the step cells, of several notes the one that is drawn. With an open lens on note
    /// values, the values, except defaults.
    public init(of scene: Scene) {
        self.init()
        let notes = ShownNotes(of: scene.document.pattern)
        for row in TrackRow.all {
            if let lens = scene.lenses[row.track] {
                label(row, through: lens, notes)
                continue
            }
            let audible = row.notes.subtracting(scene.document.mutedNotes(of: row.track))
            for step in 0..<notes.length(of: row.track) {
                let cell = notes[row.track, step]
                guard let note = cell.mostProminent(among: row.notes, audible: audible) else { continue }
                self[Layout.column(ofStep: step), row.row] = row.track.label(of: note)
            }
        }
    }

    private mutating func label(_ row: TrackRow, through lens: Lens, _ notes: ShownNotes) {
        switch lens.kind {
        case .notes(let value):
            let cells = LensCells(notes, of: row.track, value)
            for step in 0..<notes.length(of: row.track) {
                guard let (place, _) = cells.choice(among: row.notes, at: step), place > 0 else { continue }
                self[Layout.column(ofStep: step), row.row] = value.row.label(value.row.choices[place])
            }
        case .length, .speed, .motion: break
        }
    }
}

extension Track {
    /// `C#`, without octave; two letters for drums.
    fileprivate func label(of note: Int) -> String {
        isPitched ? PitchClass(note).name : Drum.allCases[note].abbreviation
    }
}
