import Grid
import Music

/// Draws the whole grid from a scene, well under 100 µs a frame. The picture depends only on the scene and the moment;
/// between frames the renderer caches what it computed from the notes.
public struct Renderer: Sendable {
    private var shown: ShownNotes?
    /// The cached layer under everything that moves.
    private var rest: RestLayer?

    public init() {}

    /// Draws a scene as it looks at a moment, with and without the text on the grid.
    ///
    /// - Returns: When the picture changes by itself next (a pulse fades, a tooltip ends, the music key breathes):
    ///   within a seventh of a second, because the music key always moves.
    public mutating func draw(
        _ scene: Scene, at now: Duration, into whole: inout Frame, withoutTooltip frame: inout Frame
    ) -> Duration {
        let notes = notes(of: scene.document.pattern)
        let pulses = scene.playhead == nil ? [] : scene.pulses
        let pulseChange = pulses.compactMap { $0.nextChange(after: now) }.min()
        let tooltipEnd = scene.tooltip?.shownAt?.end(after: Tooltip.duration, at: now)

        frame = rest(RestLayer.RestLooks(of: scene), showing: notes)
        ControlsRow.draw(scene, at: now, into: &frame)
        StepMarkers.draw(
            length: notes.length, playhead: scene.playhead, isFilling: scene.isFilling, at: now, into: &frame)
        TrackColumns.drawMeters(scene.levels, mode: scene.document.colorMode, into: &frame)
        if let playhead = scene.playhead {
            let lit = pulses.filter { $0.isLit(at: now) }
            PlayingLayer.draw(playhead: playhead, pulses: lit, over: notes, into: &frame)
            Overview.draw(playhead, over: notes, into: &frame)
        }
        for bar in scene.punchBars { Overview.draw(bar, in: scene.document.colorMode, into: &frame) }
        PreviewLayer.draw(scene, over: notes, into: &frame)
        PadLayer.drawProgress(scene, into: &frame)
        whole = frame
        if let (tooltip, shownAt) = scene.tooltip, shownAt == nil || tooltipEnd != nil {
            TooltipLayer.draw(tooltip, into: &whole)
        }

        let beatChange = scene.beat?.nextChange(after: now)
        let ends = [scene.playhead?.flashEnd(at: now), pulseChange, tooltipEnd, beatChange].compactMap { $0 }
        return ends.reduce(MusicKey.nextChange(after: now), min)
    }

    private mutating func notes(of pattern: Pattern) -> ShownNotes {
        if let shown, shown.match(pattern) { return shown }
        let notes = ShownNotes(of: pattern)
        shown = notes
        return notes
    }

    private mutating func rest(_ looks: RestLayer.RestLooks, showing notes: ShownNotes) -> Frame {
        if rest?.looks == looks { rest?.show(notes) } else { rest = nil }
        let layer = rest ?? RestLayer(looks, showing: notes)
        rest = layer
        return layer.frame
    }
}
