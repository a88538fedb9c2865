import JSON
import Music
import PatternFormat

// Slots, each with the notes of one track, and scenes: the slots of one number of all tracks.
extension Methods {
    /// `slot.launch`
    public static let launchSlot = Method(
        "slot.launch", "Plays and shows another slot of a track, from the next step on, at the same place of the loop.",
        .required("track", Kind<Track>.name, "The track."), .required("slot", .slotNumber, "The slot."),
        result: .nothing, example: .init(["track": "melody", "slot": 3], returns: [:]))

    /// `slot.copy`
    public static let copySlot = Method(
        "slot.copy", "Puts a copy of a slot's notes into another slot of the track; one undo step.",
        .required("track", Kind<Track>.name, "The track."), .required("from", .slotNumber, "The slot to copy."),
        .required("to", .slotNumber, "The slot whose notes are replaced."), result: .nothing,
        example: .init(["track": "melody", "from": 1, "to": 2], returns: [:]))

    /// `slot.clear`
    public static let clearSlot = Method(
        "slot.clear", "Clears a slot, playing or not; one undo step.",
        .required("track", Kind<Track>.name, "The track."), .required("slot", .slotNumber, "The slot."),
        result: .nothing, example: .init(["track": "bass", "slot": 1], returns: [:]))

    /// `scene.launch`
    public static let launchScene = Method(
        "scene.launch", "Plays and shows the slots of a scene, from the next step on, at the same place of the loop.",
        .required("scene", .slotNumber, "The scene."), result: .nothing, example: .init(["scene": 2], returns: [:]))

    /// `scene.copy`
    public static let copyScene = Method(
        "scene.copy", "Puts a copy of all notes of a scene into another one; one undo step.",
        .required("from", .slotNumber, "The scene to copy."),
        .required("to", .slotNumber, "The scene whose notes are replaced."), result: .nothing,
        example: .init(["from": 1, "to": 2], returns: [:]))

    static let slots = [
        launchSlot.description, copySlot.description, clearSlot.description, launchScene.description,
        copyScene.description,
    ]
}
