import Grid
import Music

/// The colours that stand for musical things.
enum Palette {
    private static let hues = [
        0xff0000, 0xff4500, 0xff8c00, 0xffc800, 0xffff00, 0x9acd32, 0x00ff00, 0x00ffaa, 0x00ffff, 0x00aaff, 0x0055ff,
        0x8a2be2,
    ].map { Color($0) }

    /// The colour of a pitch class: by semitones, or so that keys a fifth apart are neighbours.
    static func color(of pitchClass: PitchClass, in mode: ColorMode) -> Color {
        switch mode {
        case .chromatic: hues[pitchClass.number]
        case .harmonic: hues[7 * pitchClass.number % hues.count]
        }
    }

    /// The colour of a note of any track, 0 to 11: that of its pitch class, a drum's being its number.
    static func color(ofNote note: Int, in mode: ColorMode) -> Color {
        color(of: PitchClass(note), in: mode)
    }

    static func color(of track: Track) -> Color {
        switch track {
        case .melody: Color(0xf7dc6f)
        case .chords: Color(0x4ecdc4)
        case .bass: Color(0x45b7d1)
        case .rhythm: Color(0xff6b6b)
        }
    }
}
