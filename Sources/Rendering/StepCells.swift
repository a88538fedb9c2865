import Grid
import Music

/// Rows 2 to 21 as they look at rest: base, ghosts and notes.
struct StepCells {
    private static let barStart = Color(0x111111)
    private static let offScale = Color(0x060606)
    private static let ghost = Alpha(34, of: 255)
    private static let accent = Alpha.percent(20)
    private static let silent = Alpha.percent(40)

    private let document: Document
    private let cells: Cells
    private let length: Int
    private let scaleNotes: NoteSet

    /// - Parameter cells: The document's cells without headless ones.
    init(of document: Document, sounding cells: Cells) {
        self.document = document
        self.cells = cells
        length = document.pattern.length
        scaleNotes = document.pattern.key.notes
    }

    func draw(into frame: inout Frame) {
        for track in Track.allCases {
            let isSilent = document.mix.isSilent(track)
            for row in Layout.rows(of: track) {
                let notes = NoteSet(Layout.notes(of: track, row: row))
                let isOffScale = track.isPitched && notes.intersection(scaleNotes).isEmpty
                for step in 0..<length {
                    let base = base(of: step, isOffScale: isOffScale)
                    frame[Layout.column(ofStep: step), row] =
                        if let note = cells[track, step].mostProminent(among: notes) {
                            color(of: track, note, at: step, isSilent: isSilent, over: base)
                        } else {
                            ghost(of: notes, at: step, beside: track, over: base)
                        }
                }
            }
        }
    }

    private func base(of step: Int, isOffScale: Bool) -> Color {
        if step.isMultiple(of: Layout.stepsPerBar) { return StepCells.barStart }
        return isOffScale ? StepCells.offScale : .background
    }

    private func ghost(of notes: NoteSet, at step: Int, beside track: Track, over base: Color) -> Color {
        guard document.showsGhosts else { return base }
        for other in Track.allCases
        where other != track && !cells[other, step].notes.intersection(notes).isEmpty {
            return Palette.color(of: other).over(base, alpha: StepCells.ghost)
        }
        return base
    }

    private func color(of track: Track, _ note: Int, at step: Int, isSilent: Bool, over base: Color) -> Color {
        let pure = Palette.color(ofNote: note, in: document.colorMode)
        let color =
            switch cells[track, note, step] {
            case .off: base
            case .normal: pure
            case .accent: Color.white.over(pure, alpha: StepCells.accent)
            case .sustain:
                pure.over(base, alpha: SustainFade.alpha(of: track, note, at: step, in: cells, length: length))
            }
        return isSilent ? color.over(base, alpha: StepCells.silent) : color
    }
}
