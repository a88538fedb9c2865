import Grid
import Music

/// The step clock's highlights among the step cells: the current step's column and the notes that just started.
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

    /// A note that was removed after it started does not glow.
    private static func draw(_ pulse: Pulse, on row: TrackRow, over notes: ShownNotes, into frame: inout Frame) {
        let standing = notes.notes(of: row.track, at: pulse.step).intersection(row.notes)
        guard let note = pulse.notes.mostProminent(among: standing) else { return }
        let alpha = pulse.notes[note] == .accent ? accentPulse : normalPulse
        frame.overlay(.white, alpha: alpha, column: Layout.column(ofStep: pulse.step), row: row.row)
    }
}

/// Row 1: beats, bars and the playing step.
enum StepMarkers {
    private static let stepsPerBeat = 4
    private static let fill = Color(0xffaa00)

    /// - Parameter isFilling: Whether FILL is held.
    static func draw(
        length: Int, playhead: Playhead?, isFilling: Bool, at now: Duration, into frame: inout Frame
    ) {
        let rows = Layout.markerRow...Layout.markerRow
        frame.fill(columns: 0...(Layout.firstStepColumn - 1), rows: rows, with: Color(0x222222))
        for step in 0..<length {
            let color = color(of: step, playhead: playhead, at: now)
            frame[Layout.column(ofStep: step), Layout.markerRow] =
                isFilling ? fill.over(color, alpha: .percent(40)) : color
        }
    }

    private static func color(of step: Int, playhead: Playhead?, at now: Duration) -> Color {
        if let playhead, playhead.step == step {
            return playhead.flashEnd(at: now) == nil ? Color(0xaaaaaa) : .white
        }
        if step.isMultiple(of: Layout.stepsPerBar) { return Color(0x555555) }
        return Color(step.isMultiple(of: stepsPerBeat) ? 0x333333 : 0x1a1a1a)
    }
}

/// How long things stay lit.
enum Glow {
    /// The marker of a step that just started, and the pulse of its notes.
    static let step = Duration.milliseconds(100)
}

extension Duration {
    /// When something that began at this time and lasts this long ends, nil when it has ended.
    func end(after length: Duration, at now: Duration) -> Duration? {
        let end = self + length
        return now < end ? end : nil
    }
}

extension Playhead {
    /// When the step's flash ends, nil when it has ended.
    func flashEnd(at now: Duration) -> Duration? { startedAt?.end(after: Glow.step, at: now) }
}

extension Pulse {
    /// When its glow ends, nil when it has ended.
    func end(at now: Duration) -> Duration? { startedAt.end(after: Glow.step, at: now) }
}
