import Instrument
import JSON
import Music

/// All settings of the instrument, without its notes.
public struct InstrumentState: WireMessage {
    /// Whether the clock runs, and its position.
    public var transport: TransportStatus
    /// All parameters of the table.
    public var settings: ParameterValues
    /// What tempo and position follow now, and what follows ours.
    public var sync: SyncState
    /// The slots of each track, in the order of the tracks.
    public var slots: [TrackSlots]
    /// The queued and chained scenes.
    public var scenes: SceneLaunches
    /// The open lens of each track.
    public var lenses: OpenLenses
    /// Whether FILL is held.
    public var isFilling: Bool
    /// How many steps can be undone and redone.
    public var history: HistoryCounts
    /// The names of all kits, built-in ones first.
    public var kits: [String]
    /// The pattern's name, empty for none.
    public var patternName: String
    /// The audio driver's state.
    public var audio: AudioState
    /// Whether edits reach the disk.
    public var storage: StorageState

    /// The state of a daemon that has just started, by default with default settings.
    public init(
        transport: TransportStatus = TransportStatus(state: .stopped, step: 0),
        settings: ParameterValues = ParameterValues(), sync: SyncState = SyncState(),
        slots: [TrackSlots] = Track.allCases.map { _ in TrackSlots() }, scenes: SceneLaunches = SceneLaunches(),
        lenses: OpenLenses = OpenLenses(), isFilling: Bool = false,
        history: HistoryCounts = HistoryCounts(undo: 0, redo: 0), kits: [String] = Track.rhythm.soundNames,
        patternName: String = "", audio: AudioState = AudioState(status: .off), storage: StorageState = StorageState()
    ) {
        self.transport = transport
        self.settings = settings
        self.sync = sync
        self.slots = slots
        self.scenes = scenes
        self.lenses = lenses
        self.isFilling = isFilling
        self.history = history
        self.kits = kits
        self.patternName = patternName
        self.audio = audio
        self.storage = storage
    }

    public static let kind = Kind<InstrumentState>.record(
        Member("transport", TransportStatus.kind, \.transport), .embedded(.settings, \.settings),
        .embedded(SyncState.kind, \.sync),
        .defaulted("slots", .byTrack, Track.allCases.map { _ in TrackSlots() }, \.slots),
        .defaulted("scenes", SceneLaunches.kind, SceneLaunches(), \.scenes),
        .defaulted("lenses", OpenLenses.kind, OpenLenses(), \.lenses),
        .defaulted("fill", .boolean, false, \.isFilling),
        Member("history", HistoryCounts.kind, \.history),
        .defaulted("kits", .array(of: .string), Track.rhythm.soundNames, \.kits),
        Member("pattern", .record(Member("name", .string, { $0 }), make: { $0 }), \.patternName),
        Member("audio", AudioState.kind, \.audio),
        .defaulted("storage", StorageState.kind, StorageState(), \.storage),
        make: {
            InstrumentState(
                transport: $0, settings: $1, sync: $2, slots: $3, scenes: $4, lenses: $5, isFilling: $6,
                history: $7, kits: $8, patternName: $9, audio: $10, storage: $11)
        }
    ).defined(as: "State")
}

extension InstrumentState {
    /// A track's settings.
    public subscript(track: Track) -> TrackState {
        get { TrackState(settings, of: track) }
        set { for (parameter, value) in newValue.values { settings.set(parameter, on: track, to: value) } }
    }
}

// Settings that programs access by name rather than by the table.

extension InstrumentState {
    /// Beats per minute.
    public var bpm: Double {
        get { settings.number(.tempo) }
        set { settings.set(.tempo, to: .number(newValue)) }
    }

    /// Steps that are played.
    public var length: Int { Int(settings.number(.length)) }

    /// The position of an odd step between its even neighbours; 0.5 is straight.
    public var swing: Double {
        get { settings.number(.swing) }
        set { settings.set(.swing, to: .number(newValue)) }
    }

    public var scale: Scale {
        get { settings.choice(.scale) ?? .major }
        set { settings.set(.scale, to: .choice(newValue)) }
    }

    /// The scale's root.
    public var root: PitchClass {
        get { settings.choice(.root) ?? PitchClass(0) }
        set { settings.set(.root, to: .choice(newValue)) }
    }
}

extension ParameterValues {
    fileprivate func choice<Choice: Named>(_ parameter: Parameter) -> Choice? {
        self[parameter].name.flatMap(Choice.init(name:))
    }
}
