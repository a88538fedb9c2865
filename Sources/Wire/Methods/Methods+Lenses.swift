import JSON
import Music
import PatternFormat

// Lenses, and what the dice decide.
extension Methods {
    /// `lens.set`
    public static let setLens = Method(
        "lens.set",
        "Shows what the notes of a track do besides their pitch, and lets fingers change it; for all who look.",
        .required("track", Kind<Track>.name, "The track."),
        MethodParameter<Lens?>.optional("lens", .name, "What is shown; by default the notes' pitches."),
        result: .nothing, example: .init(["track": "bass", "lens": "chance"], returns: [:]))

    /// `lens.reset`
    public static let resetLens = Method(
        "lens.reset", "Gives what a track plays a lens's default, on hidden steps too; one undo step.",
        .required("track", Kind<Track>.name, "The track."), .required("lens", Kind<Lens>.name, "What is reset."),
        result: .nothing, example: .init(["track": "bass", "lens": "chance"], returns: [:]))

    /// `dice.roll`
    public static let rollDice = Method(
        "dice.roll", "Gives the dice the next seed, and returns it.",
        result: Kind<Int>.record(Member("seed", .integer(in: Dice.seeds), { $0 }), make: { $0 }),
        example: .init(returns: ["seed": 5_103_132_997_656_651]))

    /// `dice.freeze`
    public static let freezeDice = Method(
        "dice.freeze",
        "Makes what dice and cycles decided in a track's last whole pass stay: what did not play goes, the rest always plays; one undo step.",
        .required("track", Kind<Track>.name, "The track."), result: .nothing,
        example: .init(["track": "rhythm"], returns: [:]))

    /// `fill.set`
    public static let setFill = Method(
        "fill.set",
        "Holds FILL, which lets notes play that wait for it, or no longer; fingers may hold it all the same.",
        .required("on", .boolean, "Whether it is held."), result: .nothing, example: .init(["on": true], returns: [:]))

    static let lenses = [
        setLens.description, resetLens.description, rollDice.description, freezeDice.description,
        setFill.description,
    ]
}

// How parameters move while a slot plays.
extension Methods {
    /// `motion.set`
    public static let setMotion = Method(
        "motion.set",
        "Sets the value that a parameter has where a step starts; between such points it moves in a straight line, round the loop. One undo step.",
        movedTrack, .required("parameter", Kind<Parameter>.movable, "The parameter."),
        .required("step", .step, "The step; hidden ones too, whose points do not count."),
        MethodParameter<Double?>.optional(
            "value", .number, "In the parameter's range; the step's point goes unless it is given."), movedSlot,
        result: .nothing, example: .init(["track": "bass", "parameter": "tone", "step": 0, "value": -12], returns: [:]))

    /// `motion.clear`
    public static let clearMotion = Method(
        "motion.clear", "Takes all points of a parameter, which then has the mixer's value; one undo step.", movedTrack,
        MethodParameter<Parameter?>.optional(
            "parameter", .movable, "The parameter; by default all of them."), movedSlot,
        result: .nothing, example: .init(["track": "bass", "parameter": "tone"], returns: [:]))

    /// `motion.get`
    public static let motion = Method(
        "motion.get", "Returns the points of the parameters that move, each a step and a value, as in files.",
        movedTrack, movedSlot, result: .motions,
        example: .init(["track": "bass"], returns: [:]))

    static let motions = [setMotion.description, clearMotion.description, motion.description]

    private static let movedTrack = MethodParameter<Track>.required("track", .name, "The track.")
    private static let movedSlot = MethodParameter<Int?>.optional(
        "slot", .slotNumber, "The slot; by default the one that plays.")
}
