import Grid
import Music

extension Labels {
    /// The names of the notes in the step cells; if a cell has several, that of the one that is drawn. With a lens on
    /// note values, the values, without defaults.
    public init(of scene: Scene) {
        self.init()
        let notes = ShownNotes(of: scene.document.pattern)
        for row in TrackRow.all {
            if let lens = scene.lenses[row.track] {
                label(row, through: lens, notes)
                continue
            }
            for step in 0..<notes.length(of: row.track) {
                guard let note = notes[row.track, step].mostProminent(among: row.notes) else { continue }
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
                self[Layout.column(ofStep: step), row.row] = value.label(of: value.row.choices[place])
            }
        case .length, .speed, .motion: break
        }
    }
}

extension NoteValue {
    /// A value that is not the default in at most two characters: `-6`, `12` (dB), `75`, `12` (1:2), `1F` (first), `X3`,
    /// `+2` (tens of percent).
    fileprivate func label(of number: Int) -> String {
        switch self {
        case .level: number > -10 ? "\(number)" : "\(-number)"
        case .chance: "\(number)"
        case .cycle: cycleLabel(value(of: number).name ?? "")
        case .ratchet: "X\(number)"
        case .nudge: number > 0 ? "+\(number / 10)" : "\(number / 10)"
        }
    }

    private func cycleLabel(_ name: String) -> String {
        switch name {
        case "first": "1F"
        case "not first": "N1"
        case "fill": "F"
        case "not fill": "NF"
        default: name.filter { $0 != ":" }
        }
    }
}

extension Track {
    /// `C#`, without octave; of drums two letters.
    fileprivate func label(of note: Int) -> String {
        isPitched ? PitchClass(note).name : Drum.allCases[note].abbreviation
    }
}
