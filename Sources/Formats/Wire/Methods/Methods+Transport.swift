import Instrument
import JSON
import Music
import PatternFormat

// The clock.
extension Methods {
    public static let play = transportMethod(
        "transport.play", "Plays from the current position; needs a JACK server or the internal driver.",
        errors: [.noAudio], .playing)
    public static let stop = transportMethod("transport.stop", "Stops, and returns to step 0.", .stopped)
    public static let pause = transportMethod("transport.pause", "Stops, and stays where it is.", .paused)
    public static let toggle = transportMethod(
        "transport.toggle", "Stops if it plays, plays if it does not.", errors: [.noAudio], .playing)

    public static let locate = Method(
        "transport.locate", "Goes to a step.",
        .required("step", .step, "A step below the length."),
        result: TransportStatus.kind, errors: [.followsOutside],
        example: .init(["step": 16], returns: ["state": "stopped", "step": 16, "record": false]))

    public static let record = Method(
        "transport.record",
        "Turns recording on or off: while the clock runs, what is played at the MIDI input is written into the pattern.",
        .required("on", .boolean, "Whether to record."),
        result: TransportStatus.kind,
        example: .init(["on": true], returns: ["state": "stopped", "step": 0, "record": true]))

    public static let catchKeys = Method(
        "transport.catch",
        """
        Writes keys that were played, but not recorded: while the music plays those of the last whole pass, on all tracks; \
        else those since the last pause of 2 s, the first on step 0. That is one undo step, or one for each slot if a \
        track's slot changed meanwhile. Returns how many notes that are.
        """,
        result: Kind<Int>.record(Member("notes", .integer, { $0 }), make: { $0 }),
        example: .init(returns: ["notes": 0]))

    public static let tapTempo = Method(
        "tempo.tap", "Counts a tempo tap, and returns the tempo.",
        result: Kind<Double>.record(Member("bpm", .number, { $0 }), make: { $0 }), errors: [.followsOutside],
        example: .init(returns: ["bpm": 120]))

    static let transport = [
        play.description, stop.description, pause.description, toggle.description, locate.description,
        record.description, catchKeys.description, tapTempo.description,
    ].map { $0.bindable() }

    private static func transportMethod(
        _ name: String, _ summary: String, errors: [ErrorCode] = [], _ status: PlayState
    ) -> Method<Void, TransportStatus> {
        Method(
            name, summary, result: TransportStatus.kind, errors: errors,
            example: .init(returns: .object(TransportStatus(state: status, step: 0).json)))
    }
}
