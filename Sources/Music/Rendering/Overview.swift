import Grid
import Music

/// Rows 22 and 23: the whole pattern at a glance, the leading track above its lowest note.
enum Overview {
    private static let upperRow = Layout.overviewRows.lowerBound
    private static let lowerRow = Layout.overviewRows.upperBound
    private static let playing = Color(0x222222)
    private static let noNote = Color(0x050505)
    private static let held = Alpha.percent(30)

    /// The cells left of the steps.
    static func drawSide(into frame: inout Frame) {
        let left = 0...(Layout.firstStepColumn - 1)
        frame.fill(columns: left, rows: upperRow...upperRow, with: Color(0x222222))
        frame.fill(columns: left, rows: lowerRow...lowerRow, with: Color(0x111111))
    }

    static func draw(_ steps: [Int], of notes: ShownNotes, _ looks: StepCells.StepLooks, into frame: inout Frame) {
        let audible = Track.allCases.filter { !looks.isSilent[$0.rawValue] }
        for step in steps {
            let column = Layout.column(ofStep: step)
            func heard(_ track: Track) -> NoteSet { looks.audible(notes.notes(of: track, at: step), of: track) }
            let track = audible.first { !heard($0).isEmpty }
            let lowest = track.flatMap { heard($0).lowest }
            frame[column, upperRow] = track.map { Palette.color(of: $0, in: looks.mode) } ?? .background
            frame[column, lowerRow] =
                lowest.map { Palette.color(ofNote: $0, in: looks.mode) } ?? noNote
        }
    }

    /// Marks the playing step, unless a track is shown there.
    static func draw(_ playhead: Playhead, over notes: ShownNotes, into frame: inout Frame) {
        guard playhead.step < notes.length else { return }
        let column = Layout.column(ofStep: playhead.step)
        if frame[column, upperRow] == .background { frame[column, upperRow] = playing }
    }

    /// Covers a zone from its left edge to the amount's cell; over hidden steps, too.
    static func draw(_ bar: PunchBar, in mode: ColorMode, into frame: inout Frame) {
        let columns = Layout.columns(ofZone: bar.zone)
        let last = min(columns.lowerBound + Int(bar.amount * Double(columns.count)), columns.upperBound)
        let (color, row) =
            bar.isRhythmAlone ? (Palette.color(of: .rhythm, in: mode), lowerRow) : (.white, upperRow)
        for column in columns.lowerBound...last { frame.overlay(color, alpha: held, column: column, row: row) }
    }
}
