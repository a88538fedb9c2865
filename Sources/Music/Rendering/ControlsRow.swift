import Grid
import Music

/// Row 0.
enum ControlsRow {
    private static let switchedOff = Color(0x222222)
    private static let arrow = Color(0x444444)

    /// What the controls show, read once for all of them: copying the large document for each cell was a tenth of a
    /// redraw.
    private struct Shown {
        let isPlaying: Bool
        let isRecording: Bool
        let scrubChanges: Int?
        let canCatch: Bool
        let beat: Beat?
        let key: Key
        let colorMode: ColorMode
        let showsGhosts: Bool
        let bpm: Double
        let length: Int
        let undoCount: Int
        let redoCount: Int

        init(_ scene: Scene) {
            let document = scene.document
            isPlaying = scene.isPlaying
            isRecording = scene.isRecording
            scrubChanges = scene.scrubChanges
            canCatch = scene.canCatch
            beat = scene.beat
            key = document.pattern.key
            colorMode = document.colorMode
            showsGhosts = document.showsGhosts
            bpm = document.pattern.bpm
            length = document.pattern.length
            undoCount = document.history.undoCount
            redoCount = document.history.redoCount
        }
    }

    static func draw(_ scene: Scene, at now: Duration, into frame: inout Frame) {
        let shown = Shown(scene)
        for control in ControlCell.allCases {
            let color = color(of: control, shown, at: now)
            frame.fill(columns: control.columns, rows: Layout.controlRow...Layout.controlRow, with: color)
        }
    }

    private static func color(of control: ControlCell, _ shown: Shown, at now: Duration) -> Color {
        switch control {
        case .musicKey: MusicKey.color(root: shown.key.root, mode: shown.colorMode, at: now)
        case .playStop:
            PlayColor.color(isPlaying: shown.isPlaying, isRecording: shown.isRecording, in: shown.colorMode)
        case .undo: historyColor(steps: shown.undoCount)
        case .redo: historyColor(steps: shown.redoCount)
        case .scale(let scale): color(of: scale, isOn: scale == shown.key.scale, mode: shown.colorMode)
        case .root(let root): color(of: root, isOn: root == shown.key.root, mode: shown.colorMode)
        case .ghosts: shown.showsGhosts ? Color(0x666666) : switchedOff
        case .tempoDown, .tempoUp, .lengthDown, .lengthUp: arrow
        case .tempo: shown.beat?.isFresh(at: now) == true ? .white : tempoColor(shown)
        case .length: lengthColor(shown)
        case .scrub:
            shown.scrubChanges.map { scrubColor(changes: $0, mode: shown.colorMode) }
                ?? (shown.canCatch ? Color(0x335533) : switchedOff)
        case .clear: Color(0x662222)
        }
    }

    private static func historyColor(steps: Int) -> Color {
        Color(steps > 0 ? 0x888888 : 0x333333)
    }

    private static func color(of scale: Scale, isOn: Bool, mode: ColorMode) -> Color {
        let isSafe = mode == .safe
        return switch scale {
        case .major: Color(isOn ? 0xffaa00 : 0x442200)
        case .minor: Color(isOn ? 0x00aaff : isSafe ? 0x292e37 : 0x002244)
        case .penta: Color(isOn ? 0xaa00ff : isSafe ? 0x320055 : 0x220044)
        }
    }

    private static func color(of root: PitchClass, isOn: Bool, mode: ColorMode) -> Color {
        let color = Palette.color(of: root, in: mode)
        // Options that are off must be nearly black to differ from the chosen one.
        return isOn ? color : color.over(.background, alpha: .percent(mode == .safe ? 12 : 27))
    }

    private static func tempoColor(_ shown: Shown) -> Color {
        Color(hue: shown.bpm, saturation: 0.7, lightness: shown.colorMode == .safe ? 0.6 : 0.5)
    }

    /// In safe mode a pitch's for every four steps, the longer the lighter.
    private static func lengthColor(_ shown: Shown) -> Color {
        guard shown.colorMode == .safe else {
            return Color(hue: Double(8 * shown.length), saturation: 0.7, lightness: 0.5)
        }
        return Palette.color(of: PitchClass([0, 1, 2, 4, 6, 8, 11][(shown.length - 8) / 4]), in: .safe)
    }

    private static func scrubColor(changes: Int, mode: ColorMode) -> Color {
        mode == .safe
            ? Palette.color(of: PitchClass(2 * changes), in: .safe)
            : Color(hue: 360 - 60 * Double(changes), saturation: 1, lightness: 0.5)
    }
}

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
