import JSON
import Music
import PatternFormat

// Lenses, and what the dice decide.
extension Methods {
    public static let setLens = Method(
        "lens.set",
        "Opens or closes a track's lens for all clients: it shows what the notes do besides their pitch, for fingers to change.",
        .required("track", Kind<Track>.name, "The track."),
        MethodParameter<Lens?>.optional("lens", .name, "The lens; none by default."),
        result: .nothing, example: .init(["track": "bass", "lens": "chance"], returns: [:]))

    public static let resetLens = Method(
        "lens.reset", "Resets what a track plays to a lens's default, on hidden steps too; one undo step.",
        .required("track", Kind<Track>.name, "The track."), .required("lens", Kind<Lens>.name, "The lens."),
        result: .nothing, example: .init(["track": "bass", "lens": "chance"], returns: [:]))

    public static let rollDice = Method(
        "dice.roll", "Gives the dice the next seed, and returns it.",
        result: Kind<Int>.record(Member("seed", .integer(in: Dice.seeds), { $0 }), make: { $0 }),
        example: .init(returns: ["seed": 5_103_132_997_656_651]))

    public static let freezeDice = Method(
        "dice.freeze",
        "Keeps what dice and cycles decided in a track's last whole pass: notes that did not play go, the others always play; one undo step.",
        .required("track", Kind<Track>.name, "The track."), result: .nothing,
        example: .init(["track": "rhythm"], returns: [:]))

    public static let setFill = Method(
        "fill.set",
        "Holds or releases FILL, which notes with the cycle `fill` wait for; fingers may hold it at the same time.",
        .required("on", .boolean, "Whether it is held."), result: .nothing, example: .init(["on": true], returns: [:]))

    static let lenses = [
        setLens.description, resetLens.description, rollDice.description, freezeDice.description,
        setFill.description,
    ].map { $0.bindable() }
}

// How parameters move while a slot plays.
extension Methods {
    public static let setMotion = Method(
        "motion.set",
        "Sets the value that a parameter has where a step starts; between such points it moves linearly, around the loop. One undo step.",
        movedTrack, .required("parameter", Kind<Parameter>.movable, "The parameter."),
        .required("step", .step, "The step; points on hidden steps have no effect."),
        MethodParameter<Double?>.optional(
            "value", .number, "In the parameter's range; without it the step's point is removed."), movedSlot,
        make: MotionCall.init(_:_:step:value:slot:),
        values: { ($0.track, $0.parameter, $0.step, $0.value, $0.slot) },
        result: .nothing, example: .init(["track": "bass", "parameter": "tone", "step": 0, "value": -12], returns: [:]))

    public static let clearMotion = Method(
        "motion.clear", "Removes all points of a parameter, which then has the mixer's value; one undo step.",
        movedTrack,
        MethodParameter<Parameter?>.optional(
            "parameter", .movable, "The parameter; by default all of them."), movedSlot,
        result: .nothing, example: .init(["track": "bass", "parameter": "tone"], returns: [:]))

    public static let motion = Method(
        "motion.get", "Returns the points of the parameters that move, each a step and a value, as in files.",
        movedTrack, movedSlot, result: .motions,
        example: .init(["track": "bass"], returns: [:]))

    static let motions = [setMotion.description, clearMotion.description, motion.description]

    private static let movedTrack = MethodParameter<Track>.required("track", .name, "The track.")
    private static let movedSlot = MethodParameter<Int?>.optional(
        "slot", .slotNumber, "The slot; by default the one that plays.")
}
