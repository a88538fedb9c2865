import Grid
import Music

extension Labels {
    /// The names of the notes that the step cells show; of several in a cell that of the one which is drawn.
    public init(of scene: Scene) {
        self.init()
        let notes = ShownNotes(of: scene.document.pattern)
        for row in TrackRow.all {
            for step in 0..<notes.length {
                guard let note = notes[row.track, step].mostProminent(among: row.notes) else { continue }
                self[Layout.column(ofStep: step), row.row] = row.track.label(of: note)
            }
        }
    }
}

extension Track {
    /// `C#`, without octave; of drums two letters.
    fileprivate func label(of note: Int) -> String {
        isPitched ? PitchClass(note).name : Drum.allCases[note].abbreviation
    }
}
