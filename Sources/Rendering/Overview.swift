import Grid
import Music

/// Rows 22 and 23: the whole pattern at a glance, the leading track above its lowest note.
enum Overview {
    private static let upperRow = Layout.overviewRows.lowerBound
    private static let lowerRow = Layout.overviewRows.upperBound
    private static let playing = Color(0x222222)
    private static let noNote = Color(0x050505)

    static func draw(_ scene: Scene, showing notes: ShownNotes, into frame: inout Frame) {
        let left = 0...(Layout.firstStepColumn - 1)
        frame.fill(columns: left, rows: upperRow...upperRow, with: Color(0x222222))
        frame.fill(columns: left, rows: lowerRow...lowerRow, with: Color(0x111111))
        let audible = Track.allCases.filter { !scene.document.isSilent($0) }
        let colorMode = scene.document.colorMode
        for step in 0..<notes.length {
            let column = Layout.column(ofStep: step)
            let track = audible.first { !notes.notes(of: $0, at: step).isEmpty }
            let lowest = track.flatMap { notes.notes(of: $0, at: step).lowest }
            let empty = scene.playhead?.step == step ? playing : .background
            frame[column, upperRow] = track.map(Palette.color(of:)) ?? empty
            frame[column, lowerRow] =
                lowest.map { Palette.color(ofNote: $0, in: colorMode) } ?? noNote
        }
    }
}
