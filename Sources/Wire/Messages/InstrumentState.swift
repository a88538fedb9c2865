import JSON
import Music

/// All settings of the instrument, the notes apart.
public struct InstrumentState: WireMessage {
    /// Whether the clock runs, and where it is.
    public var transport: TransportState
    /// Beats per minute, 20 to 300.
    public var bpm: Double
    /// 0.5 (straight) to 0.75.
    public var swing: Double
    /// The scale.
    public var scale: Scale
    /// The scale's root.
    public var root: PitchClass
    /// Steps that are played, 8 to 32.
    public var length: Int
    /// How pitch classes are coloured.
    public var colors: ColorMode
    /// Whether a track shows where the others have notes.
    public var showsGhosts: Bool
    /// The mixer.
    public var tracks: TrackStates
    /// What can be undone and redone.
    public var history: HistoryCounts
    /// The pattern's name, empty for none.
    public var patternName: String
    /// What the audio driver is doing.
    public var audio: AudioState
    /// Whether edits reach the disk.
    public var storage: StorageState

    /// The state of a pattern with default settings in a daemon that has just started.
    public init() {
        let pattern = Pattern()
        transport = TransportState(state: .stopped, step: 0)
        bpm = pattern.tempo.bpm
        swing = pattern.swing
        scale = pattern.key.scale
        root = pattern.key.root
        length = pattern.length
        colors = .chromatic
        showsGhosts = true
        tracks = TrackStates()
        history = HistoryCounts(undo: 0, redo: 0)
        patternName = pattern.name
        audio = AudioState(status: .off)
        storage = StorageState()
    }

    /// Reads the whole state.
    public init(_ fields: Fields) throws(FieldError) {
        transport = try fields("transport", .message(TransportState.self))
        bpm = try fields("bpm", .number)
        swing = try fields("swing", .number)
        scale = try fields("scale", .scale)
        root = try fields("root", .root)
        length = try fields("length", .integer)
        colors = try fields("colors", .colorMode)
        showsGhosts = try fields("ghosts", .boolean)
        tracks = try fields("tracks", .message(TrackStates.self))
        history = try fields("history", .message(HistoryCounts.self))
        patternName = try fields("pattern", .message(PatternName.self)).name
        audio = try fields("audio", .message(AudioState.self))
        storage = try fields.optional("storage", .message(StorageState.self)) ?? StorageState()
    }

    /// The whole state.
    public var json: JSONObject {
        [
            "transport": .object(transport.json), "bpm": .number(bpm), "swing": .number(swing),
            "scale": .string(scale.name), "root": .string(root.name), "length": .integer(length),
            "colors": .string(colors.name), "ghosts": .bool(showsGhosts), "tracks": .object(tracks.json),
            "history": .object(history.json), "pattern": .object(PatternName(name: patternName).json),
            "audio": .object(audio.json), "storage": .object(storage.json),
        ]
    }
}

private struct PatternName: WireMessage {
    var name: String

    init(name: String) { self.name = name }

    init(_ fields: Fields) throws(FieldError) { name = try fields("name", .string) }

    var json: JSONObject { ["name": .string(name)] }
}
