import Grid
import Music

/// Row 1: beats, bars and the playing step.
enum StepMarkers {
    private static let stepsPerBeat = 4
    private static let fill = Color(0xffaa00)

    /// - Parameter isFilling: Whether somebody holds FILL.
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
