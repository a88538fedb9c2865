import Grid
import Music

/// Rows 2 to 21 as they look at rest: base, ghosts and notes.
struct StepCells {
    private static let barStart = Color(0x111111)
    private static let offScale = Color(0x060606)
    private static let ghost = Alpha(34, of: 255)
    private static let accent = Alpha.percent(20)
    private static let silent = Alpha.percent(40)

    /// The state, besides their notes, that determines how the cells look.
    struct StepLooks: Equatable, Sendable {
        let mode: ColorMode
        fileprivate let showsGhosts: Bool
        /// By track.
        let isSilent: [Bool]
        /// The notes of each track that are silent by themselves: muted drums.
        private let muted: [NoteSet]
        let lenses: OpenLenses
        fileprivate let scaleNotes: NoteSet

        init(of scene: Scene) {
            let document = scene.document
            lenses = scene.lenses
            mode = document.colorMode
            showsGhosts = document.showsGhosts
            isSilent = Track.allCases.map(document.isSilent)
            muted = Track.allCases.map(document.mutedNotes)
            scaleNotes = document.pattern.key.notes
        }

        /// Those of a track's notes that are heard while the track is.
        func audible(_ notes: NoteSet, of track: Track) -> NoteSet { notes.subtracting(muted[track.rawValue]) }
    }

    private let notes: ShownNotes
    private let looks: StepLooks

    init(_ notes: ShownNotes, _ looks: StepLooks) {
        self.notes = notes
        self.looks = looks
    }

    /// Draws the cells of some steps, on all rows.
    func draw(_ steps: [Int], into frame: inout Frame) {
        for row in TrackRow.all {
            let isOffScale = isOffScale(row)
            let color = looks.lenses[row.track].map { colors(of: $0, on: row) } ?? colorsOfNotes(on: row)
            for step in steps {
                frame[Layout.column(ofStep: step), row.row] =
                    step < notes.length(of: row.track)
                    ? color(step, base(of: step, isOffScale: isOffScale)) : .background
            }
        }
    }

    /// What a row shows of its notes, by step and over a base.
    private func colorsOfNotes(on row: TrackRow) -> (_ step: Int, _ base: Color) -> Color {
        let audible = looks.audible(row.notes, of: row.track)
        let others = looks.showsGhosts ? Track.allCases.filter { $0 != row.track } : []
        return { step, base in
            if let note = notes[row.track, step].mostProminent(among: row.notes, audible: audible) {
                color(of: row.track, note, at: step, over: base)
            } else {
                ghost(of: others, on: row.notes, at: step, over: base)
            }
        }
    }

    /// What it shows through a lens.
    private func colors(of lens: Lens, on row: TrackRow) -> (_ step: Int, _ base: Color) -> Color {
        let color = Palette.color(of: lens, on: row.track, in: looks.mode)
        return { step, base in
            let shown = alpha(of: lens, on: row, at: step).map { color.over(base, alpha: $0) } ?? base
            return isSilent(lens, row, at: step) ? shown.over(base, alpha: StepCells.silent) : shown
        }
    }

    /// Whether nothing that a lens shows in a cell is heard: the track is silent, or all of the notes are muted.
    private func isSilent(_ lens: Lens, _ row: TrackRow, at step: Int) -> Bool {
        if looks.isSilent[row.track.rawValue] { return true }
        guard case .notes = lens.kind else { return false }
        let shown = LensCells.shown(among: row.notes, of: notes[row.track, step])
        return looks.audible(shown, of: row.track).isEmpty
    }

    /// The opacity of a lens's colour in a cell, nil for none.
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

    private func color(of track: Track, _ note: Int, at step: Int, over base: Color) -> Color {
        let pure = Palette.color(ofNote: note, in: looks.mode)
        let color =
            switch notes[track, step][note] {
            case .off: base
            case .normal: pure
            case .accent: Color.white.over(pure, alpha: StepCells.accent)
            case .sustain: pure.over(base, alpha: notes.fade(of: track, note, at: step))
            }
        let isSilent = looks.isSilent[track.rawValue] || looks.audible([note], of: track).isEmpty
        return isSilent ? color.over(base, alpha: StepCells.silent) : color
    }
}

extension StepNotes {
    /// The note that a cell shows: the strongest of the audible ones, else of all.
    func mostProminent(among row: NoteSet, audible: NoteSet) -> Int? {
        mostProminent(among: audible) ?? mostProminent(among: row)
    }
}

/// A track's notes as a lens on note values shows them: how far each is from the default.
struct LensCells {
    private let notes: ShownNotes
    private let track: Track
    private let value: NoteValue

    init(_ notes: ShownNotes, of track: Track, _ value: NoteValue) {
        self.notes = notes
        self.track = track
        self.value = value
    }

    /// The index of the choice that a cell shows: the first that is not the default among the notes that start here,
    /// else among those that are sustained; nil without notes.
    func choice(among row: NoteSet, at step: Int) -> (place: Int, isSustain: Bool)? {
        let cell = notes[track, step]
        let shown = Self.shown(among: row, of: cell)
        guard let first = shown.lowest else { return nil }
        let places = shown.lazy.map { value.choice(nearest: notes.head(of: track, $0, at: step)[value]) }
        return (places.first { $0 > 0 } ?? 0, cell[first] == .sustain)
    }

    /// The notes that a cell stands for: those that start, else those that are sustained.
    static func shown(among row: NoteSet, of cell: StepNotes) -> NoteSet {
        let heads = cell.heads.intersection(row)
        return heads.isEmpty ? cell.notes.intersection(row) : heads
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
