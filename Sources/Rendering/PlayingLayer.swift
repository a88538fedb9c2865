import Grid
import Music

/// What the step clock lights up among the step cells: the current step's column and the notes that just started.
enum PlayingLayer {
    private static let column = Alpha.percent(20)
    private static let accentPulse = Alpha.percent(30)
    private static let normalPulse = Alpha.percent(15)

    /// - Parameter pulse: Notes that started a moment ago, nil when the last ones no longer glow.
    static func draw(playhead: Playhead, pulse: Pulse?, over notes: ShownNotes, into frame: inout Frame) {
        let visible = 0..<notes.length
        if visible.contains(playhead.step) {
            let column = Layout.column(ofStep: playhead.step)
            for row in Layout.trackRows {
                frame.overlay(.white, alpha: PlayingLayer.column, column: column, row: row)
            }
        }
        if let pulse, visible.contains(pulse.step) {
            draw(pulse, over: notes, into: &frame)
        }
    }

    /// A note that was removed since it started glows no longer.
    private static func draw(_ pulse: Pulse, over notes: ShownNotes, into frame: inout Frame) {
        for row in TrackRow.all {
            let standing = notes.notes(of: row.track, at: pulse.step).intersection(row.notes)
            let started = pulse.notes[row.track.rawValue]
            guard let note = started.mostProminent(among: standing) else { continue }
            let alpha = started[note] == .accent ? accentPulse : normalPulse
            frame.overlay(.white, alpha: alpha, column: Layout.column(ofStep: pulse.step), row: row.row)
        }
    }
}
