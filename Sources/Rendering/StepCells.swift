import Grid
import Music

/// Rows 2 to 21 as they look at rest: base, ghosts and notes.
struct StepCells {
    private static let barStart = Color(0x111111)
    private static let offScale = Color(0x060606)
    private static let ghost = Alpha(34, of: 255)
    private static let accent = Alpha.percent(20)
    private static let silent = Alpha.percent(40)

    private let notes: ShownNotes
    private let mode: ColorMode
    private let showsGhosts: Bool
    private let mix: Mix
    private let scaleNotes: NoteSet

    init(of document: Document, showing notes: ShownNotes) {
        self.notes = notes
        mode = document.colorMode
        showsGhosts = document.showsGhosts
        mix = document.mix
        scaleNotes = document.pattern.key.notes
    }

    func draw(into frame: inout Frame) {
        for row in TrackRow.all {
            let isSilent = mix.isSilent(row.track)
            let others = showsGhosts ? Track.allCases.filter { $0 != row.track } : []
            let isOffScale = row.track.isPitched && row.notes.intersection(scaleNotes).isEmpty
            for step in 0..<notes.length {
                let base = base(of: step, isOffScale: isOffScale)
                frame[Layout.column(ofStep: step), row.row] =
                    if let note = notes[row.track, step].mostProminent(among: row.notes) {
                        color(of: row.track, note, at: step, isSilent: isSilent, over: base)
                    } else {
                        ghost(of: others, on: row.notes, at: step, over: base)
                    }
            }
        }
    }

    private func base(of step: Int, isOffScale: Bool) -> Color {
        if step.isMultiple(of: Layout.stepsPerBar) { return StepCells.barStart }
        return isOffScale ? StepCells.offScale : .background
    }

    private func ghost(of tracks: [Track], on row: NoteSet, at step: Int, over base: Color) -> Color {
        for track in tracks where !notes.notes(of: track, at: step).intersection(row).isEmpty {
            return Palette.color(of: track).over(base, alpha: StepCells.ghost)
        }
        return base
    }

    private func color(of track: Track, _ note: Int, at step: Int, isSilent: Bool, over base: Color) -> Color {
        let pure = Palette.color(ofNote: note, in: mode)
        let color =
            switch notes[track, step][note] {
            case .off: base
            case .normal: pure
            case .accent: Color.white.over(pure, alpha: StepCells.accent)
            case .sustain: pure.over(base, alpha: notes.fade(of: track, note, at: step))
            }
        return isSilent ? color.over(base, alpha: StepCells.silent) : color
    }
}
