import Grid
import Music

/// The step clock's highlights among the step cells: the current step's column and the notes that just started.
enum PlayingLayer {
    private static let column = Alpha.percent(20)
    private static let accentPulse = Alpha.percent(30)
    private static let normalPulse = Alpha.percent(15)

    /// - Parameter pulses: Notes that started a moment ago.
    static func draw(playhead: Playhead, pulses: [Pulse], over notes: ShownNotes, into frame: inout Frame) {
        let started = started(pulses)
        for row in TrackRow.all {
            let step = playhead.trackSteps[row.track.rawValue]
            if step < notes.length(of: row.track) {
                frame.overlay(.white, alpha: column, column: Layout.column(ofStep: step), row: row.row)
            }
            for (step, started) in started[row.track.rawValue] where step < notes.length(of: row.track) {
                draw(started, at: step, on: row, over: notes, into: &frame)
            }
        }
    }

    /// By track and step. A cell glows once, even if its notes started one after the other.
    private static func started(_ pulses: [Pulse]) -> [[Int: StepNotes]] {
        var started = Track.allCases.map { _ in [Int: StepNotes]() }
        for pulse in pulses {
            for note in pulse.notes.notes {
                started[pulse.track.rawValue][pulse.step, default: StepNotes()][note] = pulse.notes[note]
            }
        }
        return started
    }

    /// A note that was removed after it started does not glow.
    private static func draw(
        _ started: StepNotes, at step: Int, on row: TrackRow, over notes: ShownNotes, into frame: inout Frame
    ) {
        let standing = notes.notes(of: row.track, at: step).intersection(row.notes)
        guard let note = started.mostProminent(among: standing) else { return }
        let alpha = started[note] == .accent ? accentPulse : normalPulse
        frame.overlay(.white, alpha: alpha, column: Layout.column(ofStep: step), row: row.row)
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
    /// Whether its glow has ended.
    public func isOver(at now: Duration) -> Bool { startedAt.end(after: Glow.step, at: now) == nil }

    /// Whether it glows.
    func isLit(at now: Duration) -> Bool { startedAt <= now && !isOver(at: now) }

    /// When its glow begins or ends, nil when it has ended.
    func nextChange(after now: Duration) -> Duration? {
        startedAt > now ? startedAt : startedAt.end(after: Glow.step, at: now)
    }
}
