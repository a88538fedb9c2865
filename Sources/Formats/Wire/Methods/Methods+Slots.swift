import JSON
import Music
import PatternFormat

// Slots, each with the notes of one track, and scenes: the slots with the same number on all tracks.
extension Methods {
    public static let launchSlot = Method(
        "slot.launch", "Plays another slot of a track from the next launch point, or at once while nothing plays.",
        .required("track", Kind<Track>.name, "The track."), .required("slot", .slotNumber, "The slot."), moment,
        result: .nothing, example: .init(["track": "melody", "slot": 3], returns: [:]))

    public static let copySlot = Method(
        "slot.copy", "Copies a slot to another slot of the track; one undo step.",
        .required("track", Kind<Track>.name, "The track."), .required("from", .slotNumber, "The slot to copy."),
        .required("to", .slotNumber, "The slot that is replaced."), result: .nothing,
        example: .init(["track": "melody", "from": 1, "to": 2], returns: [:]))

    public static let clearSlot = Method(
        "slot.clear", "Clears a slot, playing or not; one undo step.",
        .required("track", Kind<Track>.name, "The track."), .required("slot", .slotNumber, "The slot."),
        result: .nothing, example: .init(["track": "bass", "slot": 1], returns: [:]))

    public static let setSlot = Method(
        "slot.set", "Gives a slot a length and a speed of its own; one undo step.",
        .required("track", Kind<Track>.name, "The track."),
        MethodParameter<Int?>.optional("slot", .slotNumber, "The slot; by default the one that plays."),
        MethodParameter<Int?>.optional(
            "length", Kind.integer(in: 0...SlotNotes.stepCount).counted(in: "steps"),
            "Steps of its own loop, 0 to follow the pattern's length; by default unchanged."),
        MethodParameter<Speed?>.optional(
            "speed", .name,
            "How many of its steps play in the time of one step; by default unchanged."),
        make: SlotCall.init(_:slot:length:speed:), values: { ($0.track, $0.slot, $0.length, $0.speed) },
        result: .nothing, example: .init(["track": "bass", "length": 12, "speed": "3/2"], returns: [:]))

    public static let rotateSlot = Method(
        "slot.rotate",
        "Rotates a slot's notes by a number of steps within its length; one undo step.",
        .required("track", Kind<Track>.name, "The track."),
        .required("steps", .integer(in: -31...31).counted(in: "steps"), "How much later; negative for earlier."),
        MethodParameter<Int?>.optional("slot", .slotNumber, "The slot; by default the one that plays."),
        result: .nothing, example: .init(["track": "rhythm", "steps": -1], returns: [:]))

    public static let launchScene = Method(
        "scene.launch", "Plays a scene from the next launch point, or at once while nothing plays.",
        .required("scene", .slotNumber, "The scene."), moment, result: .nothing,
        example: .init(["scene": 2], returns: [:]))

    public static let chainSlots = Method(
        "slot.chain",
        "Plays slots of a track one after the other, over and over: the first from the next launch point, each later one from a step 0.",
        .required("track", Kind<Track>.name, "The track."), .required("slots", .chain, "The slots in their order."),
        result: .nothing, example: .init(["track": "bass", "slots": [1, 1, 2]], returns: [:]))

    public static let chainScenes = Method(
        "scene.chain",
        "Plays scenes one after the other, over and over: the first from the next launch point, each later one from a step 0.",
        .required("scenes", .chain, "The scenes in their order."), result: .nothing,
        example: .init(["scenes": [1, 2, 3, 2]], returns: [:]))

    public static let cancelLaunch = Method(
        "slot.cancel", "Cancels what is queued or chained; what plays continues.",
        MethodParameter<Track?>.optional("track", .name, "The track; by default all of them."),
        result: .nothing, example: .init(["track": "melody"], returns: [:]))

    public static let copyScene = Method(
        "scene.copy", "Copies a scene, the slots of all tracks, to another; one undo step.",
        .required("from", .slotNumber, "The scene to copy."),
        .required("to", .slotNumber, "The scene that is replaced."), result: .nothing,
        example: .init(["from": 1, "to": 2], returns: [:]))

    static let slots = [
        launchSlot.description, copySlot.description, clearSlot.description, launchScene.description,
        copyScene.description, chainSlots.description, chainScenes.description, cancelLaunch.description,
        rotateSlot.description, setSlot.description,
    ].map { $0.bindable() }

    private static let moment = MethodParameter<LaunchMoment>.optional(
        "when", .choice, default: .queued, "now: with the next step, at the same place in the loop.")
}

extension Kind<[Int]> {
    /// Slots or scenes in the order in which they play.
    fileprivate static let chain = array(of: .slotNumber, count: 1...TrackLaunches.longestChain)
}
