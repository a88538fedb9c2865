import Gestures
import JSON
import Music
import Session
import Wire

extension MethodTable {
    /// How the pattern is played and shown.
    static let settings: [Method] = [
        setting("scale.set", "Sets the scale.", .required("scale", .scale, "The scale.")) { .setScale($0) },
        setting("root.set", "Sets the root.", .required("root", .root, "The root, with sharps.")) { .setRoot($0) },
        setting(
            "length.set", "Sets how many steps are played and shown.",
            .required("length", .integer(in: 8...32), "Steps.")
        ) { .setLength($0) },
        setting(
            "swing.set", "Sets where an odd step lies between its even neighbours.",
            .required("swing", .number(in: 0.5...0.75), "0.5 is straight.")
        ) { .setSwing($0) },
        setting(
            "colors.set", "Sets how the grid colours pitch classes.", .required("mode", .colorMode, "The colour mode.")
        ) { .setColorMode($0) },
        setting(
            "ghosts.set", "Sets whether a track shows where the others have notes.",
            .required("on", .boolean, "Whether it does.")
        ) { .setGhosts($0) },
        Method(
            "track.set", "Changes what the mixer does to a track, and returns it.",
            .required("track", .track, "The track."),
            .optional("mute", .boolean, "Whether the track is muted."),
            .optional("solo", .boolean, "Whether the track is the soloed one."),
            .optional("gain", .number(in: -60...12), "dB."),
            .optional("pan", .number(in: -1...1), "-1 is left, 1 is right."),
            result: Schemas.track
        ) { call, track, mute, solo, gain, pan in
            try call.perform(.setTrack(track, .init(mute: mute, solo: solo, gain: gain, pan: pan)))
            return .value(TrackState(call.ask { $0.document.mix }, of: track).json)
        },
    ]

    private static func setting<Value: Sendable>(
        _ name: String, _ summary: String, _ parameter: Wire.Parameter<Value>,
        command: @escaping @Sendable (Value) -> Command
    ) -> Method {
        Method(name, summary, parameter, result: Schemas.empty) { call, value in
            try call.perform(command(value))
            return .nothing
        }
    }
}
