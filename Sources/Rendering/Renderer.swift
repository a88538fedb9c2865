import Grid
import Music

/// Draws the whole grid from a scene; pure, and well under 100 µs a frame.
public struct Renderer: Sendable {
    /// A renderer.
    public init() {}

    /// Draws a scene as it looks at a moment.
    ///
    /// - Returns: When the picture changes by itself next (a pulse fades, a tooltip ends, the music key breathes);
    ///   the music key moves all the time, so this is never further away than a seventh of a second.
    public mutating func draw(_ scene: Scene, at now: Duration, into frame: inout Frame) -> Duration {
        let document = scene.document
        let length = document.pattern.length
        let cells = document.pattern.soundingCells
        let pulseEnd = scene.playhead == nil ? nil : scene.pulse?.startedAt.end(after: Glow.step, at: now)
        let tooltipEnd = scene.tooltip?.shownAt.end(after: Glow.tooltip, at: now)

        frame.fill(rows: 0...(Frame.rows - 1), with: .background)
        ControlsRow.draw(scene, at: now, into: &frame)
        StepMarkers.draw(scene, at: now, into: &frame)
        TrackColumns.draw(scene, into: &frame)
        StepCells(of: document, sounding: cells).draw(into: &frame)
        if let playhead = scene.playhead {
            let pulse = pulseEnd == nil ? nil : scene.pulse
            PlayingLayer.draw(playhead: playhead, pulse: pulse, cells: cells, length: length, into: &frame)
        }
        PreviewLayer.draw(scene.previews, mode: document.colorMode, length: length, into: &frame)
        Overview.draw(scene, sounding: cells, into: &frame)
        if tooltipEnd != nil, let tooltip = scene.tooltip?.tooltip {
            TooltipLayer.draw(tooltip, into: &frame)
        }

        let ends = [scene.playhead?.flashEnd(at: now), pulseEnd, tooltipEnd].compactMap { $0 }
        return ends.reduce(MusicKey.nextChange(after: now), min)
    }
}
