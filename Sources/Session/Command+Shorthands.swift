// swift-format-ignore-file: goes when nobody uses it any more.
import Music

extension Command {
    public static var play: Command { .transport(.play) }
    public static var stop: Command { .transport(.stop) }
    public static var pause: Command { .transport(.pause) }
    public static var toggle: Command { .transport(.toggle) }
    public static func locate(_ step: Int) -> Command { .transport(.locate(step)) }
    public static var clear: Command { .change([.edit(Cells())]) }
    public static var undo: Command { .change([.undo]) }
    public static var redo: Command { .change([.redo]) }
    public static func setPattern(_ pattern: Pattern) -> Command { .change([.replacePattern(pattern)]) }
    public static func setName(_ name: String) -> Command { .change([.setName(name)]) }
    public static func setTempo(_ tempo: Tempo) -> Command { .set(.tempo, to: .number(tempo.bpm)) }
    public static func setScale(_ scale: Scale) -> Command { .set(.scale, to: .choice(scale)) }
    public static func setRoot(_ root: PitchClass) -> Command { .set(.root, to: .choice(root)) }
    public static func setLength(_ length: Int) -> Command { .set(.length, to: .number(Double(length))) }
    public static func setSwing(_ swing: Double) -> Command { .set(.swing, to: .number(swing)) }
    public static func setColorMode(_ mode: ColorMode) -> Command { .set(.colors, to: .choice(mode)) }
    public static func setGhosts(_ isOn: Bool) -> Command { .set(.ghosts, to: .toggle(isOn)) }
    public static func setTrack(_ track: Track, _ settings: TrackSettings) -> Command {
        var changes: [DocumentChange] = []
        if let mute = settings.mute { changes.append(.set(.mute, on: track, to: .toggle(mute))) }
        if let gain = settings.gain { changes.append(.set(.gain, on: track, to: .number(gain))) }
        if let pan = settings.pan { changes.append(.set(.pan, on: track, to: .number(pan))) }
        if let solo = settings.solo { changes.append(.set(.solo, on: track, to: .toggle(solo))) }
        return .change(changes)
    }
}
