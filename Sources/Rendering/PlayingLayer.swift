import Grid
import Music

/// What the step clock lights up among the step cells: the current step's column and the notes that just started.
enum PlayingLayer {
    private static let column = Alpha.percent(20)
    private static let accentPulse = Alpha.percent(30)
    private static let normalPulse = Alpha.percent(15)

    /// - Parameter pulses: Notes that started a moment ago.
    static func draw(playhead: Playhead, pulses: [Pulse], over notes: ShownNotes, into frame: inout Frame) {
        for row in TrackRow.all {
            let step = playhead.trackSteps[row.track.rawValue]
            if step < notes.length(of: row.track) {
                frame.overlay(.white, alpha: column, column: Layout.column(ofStep: step), row: row.row)
            }
            for pulse in pulses where pulse.track == row.track && pulse.step < notes.length(of: row.track) {
                draw(pulse, on: row, over: notes, into: &frame)
            }
        }
    }

    /// A note that was removed since it started glows no longer.
    private static func draw(_ pulse: Pulse, on row: TrackRow, over notes: ShownNotes, into frame: inout Frame) {
        let standing = notes.notes(of: row.track, at: pulse.step).intersection(row.notes)
        guard let note = pulse.notes.mostProminent(among: standing) else { return }
        let alpha = pulse.notes[note] == .accent ? accentPulse : normalPulse
        frame.overlay(.white, alpha: alpha, column: Layout.column(ofStep: pulse.step), row: row.row)
    }
}
