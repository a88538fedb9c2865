import Grid
import Music

/// What a touch, or the passing of time, asks for. The owner of the state carries actions out in order, each before
/// the machine is called again.
public enum Action: Equatable, Sendable {
    /// Change the instrument.
    case perform(Command)
    /// Show a text on the grid for a while, and notify the subscribers.
    case tooltip(Tooltip)
    /// Show a text on the grid while a drag is under way, and notify the subscribers.
    case dragTooltip(Tooltip, DragID)
    /// The finger of a drag was lifted: from now on its text is one like any other.
    case endDragTooltip(DragID)
    /// Take a text away before its time.
    case withdrawTooltip(Tooltip)
    /// Shake the touching client.
    case haptic(ClientID, Haptic)
    /// Let notes sound, when auditioning is on and the track is not silent.
    case audition(Audition)
    /// What the touch brought about, for a client that asked.
    case outcome(TouchOutcome)
}

/// One drag, from the moment at which it would write something to the finger's end.
public struct DragID: Hashable, Sendable {
    /// Unique among those of a machine.
    let number: Int
}

/// A shake of the client's device.
public enum Haptic: String, Sendable {
    case light
    case medium
    case heavy
    case rigid

    /// 0 to 1.
    public var intensity: Double {
        switch self {
        case .light: 0.5
        case .medium, .rigid: 0.8
        case .heavy: 1
        }
    }
}

/// Notes to let sound at once.
public struct Audition: Equatable, Sendable {
    /// The track whose voices sound.
    public var track: Track
    /// The notes.
    public var notes: NoteSet
    /// Accent or normal.
    public var velocity: Velocity

    /// Notes to let sound.
    public init(track: Track, notes: NoteSet, velocity: Velocity) {
        self.track = track
        self.notes = notes
        self.velocity = velocity
    }
}

/// What the machine needs to know about the instrument; it never changes it.
public struct GestureContext: Sendable {
    /// Pattern, history, mixer and view settings.
    public var document: Document
    /// Whether the step clock runs.
    public var isPlaying: Bool
    /// Whether what is played at the MIDI input is written.
    public var isRecording: Bool
    /// Whether a JACK server runs, without which nothing plays.
    public var hasAudio: Bool
    /// The source that has the tempo in our place, nil while it is ours.
    public var tempoSource: SyncSource?
    /// What is to play next on each track.
    public var launches: LaunchQueue
    /// Whether steps follow each other, so that launches wait for one.
    public var clockRuns: Bool
    /// The names of the kits that there are, the built-in ones first.
    public var kits: [String]
    /// The lens that each track is looked at through.
    public var lenses: OpenLenses

    /// What the machine needs to know about the instrument.
    public init(
        document: Document, isPlaying: Bool, isRecording: Bool = false, hasAudio: Bool, tempoSource: SyncSource? = nil,
        launches: LaunchQueue = LaunchQueue(), clockRuns: Bool? = nil, kits: [String] = Track.rhythm.soundNames,
        lenses: OpenLenses = OpenLenses()
    ) {
        self.document = document
        self.isPlaying = isPlaying
        self.isRecording = isRecording
        self.hasAudio = hasAudio
        self.tempoSource = tempoSource
        self.launches = launches
        self.clockRuns = clockRuns ?? (isPlaying && hasAudio)
        self.kits = kits
        self.lenses = lenses
    }
}
