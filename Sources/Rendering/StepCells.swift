import Grid
import Music

/// Rows 2 to 21 as they look at rest: base, ghosts and notes.
struct StepCells {
    private static let barStart = Color(0x111111)
    private static let offScale = Color(0x060606)
    private static let ghost = Alpha(34, of: 255)
    private static let accent = Alpha.percent(20)
    private static let silent = Alpha.percent(40)

    /// What the cells look like besides their notes.
    struct Looks: Equatable, Sendable {
        let mode: ColorMode
        fileprivate let showsGhosts: Bool
        /// By track.
        let isSilent: [Bool]
        let lenses: OpenLenses
        fileprivate let scaleNotes: NoteSet

        init(of scene: Scene) {
            let document = scene.document
            lenses = scene.lenses
            mode = document.colorMode
            showsGhosts = document.showsGhosts
            isSilent = Track.allCases.map(document.isSilent)
            scaleNotes = document.pattern.key.notes
        }
    }

    private let notes: ShownNotes
    private let looks: Looks

    init(_ notes: ShownNotes, _ looks: Looks) {
        self.notes = notes
        self.looks = looks
    }

    func draw(_ steps: [Int], into frame: inout Frame) {
        for row in TrackRow.all {
            if let lens = looks.lenses[row.track] {
                draw(lens, on: row, steps, into: &frame)
                continue
            }
            let isSilent = looks.isSilent[row.track.rawValue]
            let others = looks.showsGhosts ? Track.allCases.filter { $0 != row.track } : []
            let isOffScale = isOffScale(row)
            for step in steps {
                guard step < notes.length(of: row.track) else {
                    frame[Layout.column(ofStep: step), row.row] = .background
                    continue
                }
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

    private func draw(_ lens: Lens, on row: TrackRow, _ steps: [Int], into frame: inout Frame) {
        let color = Palette.color(of: lens, on: row.track, in: looks.mode)
        let isOffScale = isOffScale(row)
        for step in steps {
            guard step < notes.length(of: row.track) else {
                frame[Layout.column(ofStep: step), row.row] = .background
                continue
            }
            let base = base(of: step, isOffScale: isOffScale)
            let shown = alpha(of: lens, on: row, at: step).map { color.over(base, alpha: $0) } ?? base
            let isSilent = looks.isSilent[row.track.rawValue]
            frame[Layout.column(ofStep: step), row.row] =
                isSilent ? shown.over(base, alpha: StepCells.silent) : shown
        }
    }

    /// How strong a lens's colour is in a cell, nil where nothing of it is.
    private func alpha(of lens: Lens, on row: TrackRow, at step: Int) -> Alpha? {
        switch lens.kind {
        case .notes(let value): return LensCells(notes, of: row.track, value).alpha(among: row.notes, at: step)
        case .length: return .percent(step + 1 == notes.length(of: row.track) ? 100 : 25)
        case .speed:
            let rows = Layout.rows(of: row.track)
            let chosen = notes.speed(of: row.track).nearest(of: Speed.choices(rows: rows.count))
            return .percent(rows.upperBound - row.row == chosen ? 100 : 25)
        case .motion(let parameter):
            guard let value = notes.value(of: parameter, on: row.track, at: step) else { return nil }
            let rows = Layout.rows(of: row.track)
            guard rows.upperBound - row.row == parameter.motionRow(of: value.number, of: rows.count) else { return nil }
            return .percent(value.isPoint ? 100 : 25)
        }
    }

    private func isOffScale(_ row: TrackRow) -> Bool {
        row.track.isPitched && row.notes.intersection(looks.scaleNotes).isEmpty
    }

    private func base(of step: Int, isOffScale: Bool) -> Color {
        if step.isMultiple(of: Layout.stepsPerBar) { return StepCells.barStart }
        return isOffScale ? StepCells.offScale : .background
    }

    private func ghost(of tracks: [Track], on row: NoteSet, at step: Int, over base: Color) -> Color {
        for track in tracks where !notes.notes(of: track, at: step).intersection(row).isEmpty {
            return Palette.color(of: track, in: looks.mode).over(base, alpha: StepCells.ghost)
        }
        return base
    }

    private func color(of track: Track, _ note: Int, at step: Int, isSilent: Bool, over base: Color) -> Color {
        let pure = Palette.color(ofNote: note, in: looks.mode)
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
