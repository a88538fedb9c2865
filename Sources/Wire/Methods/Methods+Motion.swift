import JSON
import Music
import PatternFormat

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
