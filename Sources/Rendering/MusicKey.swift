import Grid
import Music

/// The music-key pixel: the root's colour, breathing towards white, in harmonic mode towards blue, in safe mode
/// towards black.
enum MusicKey {
    private static let period: Int64 = 2_000_000_000
    private static let parts: Int64 = 14

    static func color(root: PitchClass, mode: ColorMode, at now: Duration) -> Color {
        let target =
            switch mode {
            case .chromatic: Color.white
            case .harmonic: Color(0x00aaff)
            case .safe: Color(0x000000)
            }
        let part = part(at: phase(at: now))
        return target.over(
            Palette.color(of: root, in: mode), alpha: Alpha(Int(min(part, parts - part)), of: Int(parts)))
    }

    /// When the next of the fourteen parts begins.
    static func nextChange(after now: Duration) -> Duration {
        let phase = phase(at: now)
        let start = ((part(at: phase) + 1) * period + parts - 1) / parts
        return .nanoseconds(nanoseconds(now) - phase + start)
    }

    private static func part(at phase: Int64) -> Int64 { phase * parts / period }

    /// Nanoseconds into the period.
    private static func phase(at now: Duration) -> Int64 {
        (nanoseconds(now) % period + period) % period
    }

    private static func nanoseconds(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
