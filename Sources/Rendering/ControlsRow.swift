import Grid
import Music

/// Row 0.
enum ControlsRow {
    private static let switchedOff = Color(0x222222)
    private static let arrow = Color(0x444444)

    static func draw(_ scene: Scene, at now: Duration, into frame: inout Frame) {
        for control in ControlCell.allCases {
            let color = color(of: control, in: scene, at: now)
            frame.fill(columns: control.columns, rows: Layout.controlRow...Layout.controlRow, with: color)
        }
    }

    private static func color(of control: ControlCell, in scene: Scene, at now: Duration) -> Color {
        let document = scene.document
        let pattern = document.pattern
        return switch control {
        case .musicKey: MusicKey.color(root: pattern.key.root, mode: document.colorMode, at: now)
        case .playStop: Color(scene.isPlaying ? 0xff4444 : 0x44ff44)
        case .undo: historyColor(steps: document.history.undoCount)
        case .redo: historyColor(steps: document.history.redoCount)
        case .scale(let scale): color(of: scale, isOn: scale == pattern.key.scale)
        case .root(let root): color(of: root, isOn: root == pattern.key.root, mode: document.colorMode)
        case .ghosts: document.showsGhosts ? Color(0x666666) : switchedOff
        case .tempoDown, .tempoUp, .lengthDown, .lengthUp: arrow
        case .tempo: indicator(hue: pattern.tempo.bpm)
        case .length: indicator(hue: Double(8 * pattern.length))
        case .scrub: scene.scrubChanges.map(scrubColor) ?? switchedOff
        case .clear: Color(0x662222)
        }
    }

    private static func historyColor(steps: Int) -> Color {
        Color(steps > 0 ? 0x888888 : 0x333333)
    }

    private static func color(of scale: Scale, isOn: Bool) -> Color {
        switch scale {
        case .major: Color(isOn ? 0xffaa00 : 0x442200)
        case .minor: Color(isOn ? 0x00aaff : 0x002244)
        case .penta: Color(isOn ? 0xaa00ff : 0x220044)
        }
    }

    private static func color(of root: PitchClass, isOn: Bool, mode: ColorMode) -> Color {
        let color = Palette.color(of: root, in: mode)
        return isOn ? color : color.over(.background, alpha: .percent(27))
    }

    private static func indicator(hue: Double) -> Color {
        Color(hue: hue, saturation: 0.7, lightness: 0.5)
    }

    private static func scrubColor(changes: Int) -> Color {
        Color(hue: 360 - 60 * Double(changes), saturation: 1, lightness: 0.5)
    }
}
