import Grid
import Music

/// What the step clock lights up among the step cells: the current step's column and the notes that just started.
enum PlayingLayer {
    private static let column = Alpha.percent(20)
    private static let accentPulse = Alpha.percent(30)
    private static let normalPulse = Alpha.percent(15)

    /// - Parameters:
    ///   - pulse: Notes that started a moment ago, nil when the last ones no longer glow.
    ///   - cells: The document's cells without headless ones.
    static func draw(playhead: Playhead, pulse: Pulse?, cells: Cells, length: Int, into frame: inout Frame) {
        if (0..<length).contains(playhead.step) {
            let column = Layout.column(ofStep: playhead.step)
            for row in Layout.trackRows {
                frame.overlay(.white, alpha: PlayingLayer.column, column: column, row: row)
            }
        }
        if let pulse, (0..<length).contains(pulse.step) {
            draw(pulse, cells: cells, into: &frame)
        }
    }

    /// A note that was removed since it started glows no longer.
    private static func draw(_ pulse: Pulse, cells: Cells, into frame: inout Frame) {
        let column = Layout.column(ofStep: pulse.step)
        for track in Track.allCases {
            let started = pulse.notes[track.rawValue].keeping(cells[track, pulse.step].notes)
            for row in Layout.rows(of: track) {
                let notes = NoteSet(Layout.notes(of: track, row: row))
                guard let note = started.mostProminent(among: notes) else { continue }
                let alpha = started[note] == .accent ? accentPulse : normalPulse
                frame.overlay(.white, alpha: alpha, column: column, row: row)
            }
        }
    }
}
