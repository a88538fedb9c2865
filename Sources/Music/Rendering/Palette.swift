import Grid
import Music

/// The colours that stand for musical things.
enum Palette {
    private static let hues = [
        0xff0000, 0xff4500, 0xff8c00, 0xffc800, 0xffff00, 0x9acd32, 0x00ff00, 0x00ffaa, 0x00ffff, 0x00aaff, 0x0055ff,
        0x8a2be2,
    ].map { Color($0) }

    /// From dark to light. Normal vision, protanopia, deuteranopia and tritanopia distinguish each from the others and from
    /// the background, which `SafeColorsTests` checks.
    private static let safeHues = [
        0x470069, 0x662000, 0x2200ff, 0x5b5e56, 0x916600, 0x258393, 0xb385ff, 0xe1964f, 0x97aea3, 0xfccbff, 0xbeffcd,
        0xffff00,
    ].map { Color($0) }

    /// The colour of a pitch class: by semitones, or so that keys a fifth apart are neighbours.
    static func color(of pitchClass: PitchClass, in mode: ColorMode) -> Color {
        switch mode {
        case .chromatic: hues[pitchClass.number]
        case .harmonic: hues[7 * pitchClass.number % hues.count]
        case .safe: safeHues[pitchClass.number]
        }
    }

    /// The colour of a note of any track, 0 to 11: that of its pitch class; a drum's pitch class is its number.
    static func color(ofNote note: Int, in mode: ColorMode) -> Color {
        color(of: PitchClass(note), in: mode)
    }

    static func color(of track: Track, in mode: ColorMode) -> Color {
        guard mode != .safe else { return safeColor(of: track) }
        return switch track {
        case .melody: Color(0xf7dc6f)
        case .chords: Color(0x4ecdc4)
        case .bass: Color(0x45b7d1)
        case .rhythm: Color(0xff6b6b)
        }
    }

    /// The colour of a lens on a track. A search found the safe ones: close to the others, and as different as possible
    /// from this mode's tracks, each other and the background.
    static func color(of lens: Lens, on track: Track, in mode: ColorMode) -> Color {
        let isSafe = mode == .safe
        return switch lens {
        case .level: Color(isSafe ? 0xe2ecff : 0xffffff)
        case .chance: Color(isSafe ? 0xad1400 : 0xffaa00)
        case .cycle: Color(isSafe ? 0x00b876 : 0x00ffaa)
        case .ratchet: Color(isSafe ? 0x8d1963 : 0xff0088)
        case .nudge: Color(isSafe ? 0x608299 : 0x00aaff)
        case .length: Color(isSafe ? 0x76766e : 0x888888)
        case .speed: Color(isSafe ? 0x8745ff : 0x8844ff)
        case .gain, .pan, .tone, .reverb, .delay, .width, .filter, .drive, .lfoDepth: color(of: track, in: mode)
        }
    }

    /// The colour of a pad. The safe ones are near the others, and as different from those of the pads beside them, in whatever
    /// state, as a search found them.
    static func color(of bank: SlotBank, _ state: PadState, in mode: ColorMode) -> Color {
        if mode == .safe, let color = safeColor(of: bank, state) { return color }
        let color =
            switch bank {
            case .track(let track): color(of: track, in: mode)
            case .scenes: Color(0xcccccc)
            }
        return color.over(.background, alpha: state.alpha)
    }

    /// Nil for the bank's own colour.
    private static func safeColor(of bank: SlotBank, _ state: PadState) -> Color? {
        let colors: [UInt32] =
            switch bank {
            case .track(.melody): [0x171700, 0x4e4908, 0x7f7415, 0xad9e24]
            case .track(.chords): [0x041612, 0x1c4e3f, 0x357e68, 0x45ad8d]
            case .track(.bass): [0x100d16, 0x3e3b59, 0x554eb4, 0x7b79a4]
            case .track(.rhythm): [0x130708, 0x481c02, 0x844a2f, 0xa77561]
            case .scenes: [0x121213, 0x434343, 0x6a6e72, 0x8f96a0]
            }
        return switch state {
        case .empty: Color(colors[0])
        case .filled: Color(colors[1])
        case .chained: Color(colors[2])
        case .emptyPlaying: Color(colors[3])
        case .lit: nil
        }
    }

    private static func safeColor(of track: Track) -> Color {
        switch track {
        case .melody: Color(0xfae10d)
        case .chords: Color(0x55f9c8)
        case .bass: Color(0xa4a5ff)
        case .rhythm: Color(0xe55209)
        }
    }
}

enum PadState: CaseIterable {
    case empty
    /// With notes.
    case filled
    case chained
    /// Playing without notes.
    case emptyPlaying
    /// Playing, or queued.
    case lit

    /// How strong its bank's colour is over the background, except in safe mode.
    var alpha: Alpha {
        switch self {
        case .empty: .percent(8)
        case .filled: .percent(30)
        case .chained: .percent(50)
        case .emptyPlaying: .percent(60)
        case .lit: .percent(100)
        }
    }
}
