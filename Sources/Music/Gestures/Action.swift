import Grid
import Instrument
import Music

/// The effects of a touch or of time passing. The owner of the state carries them out in order before it calls the
/// machine again.
public enum Action: Equatable, Sendable {
    /// Change the instrument.
    case perform(Command)
    /// Show a text on the grid for a while, and notify the subscribers.
    case tooltip(Tooltip)
    /// Show a text on the grid while a drag is under way, and notify the subscribers.
    case dragTooltip(Tooltip, DragID)
    /// The finger of a drag was lifted: its text now ends like any other.
    case endDragTooltip(DragID)
    /// Remove a text before its timeout.
    case withdrawTooltip(Tooltip)
    /// A finger begins to hold a punch-in, or moves; the text is shown for as long as it holds it.
    case punchIn(PunchTouch)
    /// A finger lets go of the effect that it may hold.
    case endPunchIn(PunchEffect, ClientID, DragID)
    /// Vibrate the touching client's device.
    case haptic(ClientID, Haptic)
    /// Play notes, when auditioning is on and the track is not silent.
    case audition(Audition)
    /// The effect of the touch, for a client that asked.
    case outcome(TouchOutcome)
}

/// A finger that holds a punch-in.
public struct PunchTouch: Equatable, Sendable {
    public var client: ClientID
    /// The finger, from when it begins to hold the effect.
    public var id: DragID
    public var effect: PunchEffect
    /// 0 to 1.
    public var amount: Double
    /// The tracks on which it acts.
    public var tracks: [Track]
    /// Names the amount.
    public var tooltip: Tooltip
}

/// One drag, from when it would write something until the finger is lifted or dropped; or one finger that holds a
/// punch-in.
public struct DragID: Hashable, Sendable {
    /// Unique within a machine.
    let number: Int
}

/// A vibration of the client's device.
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

/// Notes to play at once.
public struct Audition: Equatable, Sendable {
    /// The track whose voices sound.
    public var track: Track
    public var notes: NoteSet
    /// Accent or normal.
    public var velocity: Velocity

    public init(track: Track, notes: NoteSet, velocity: Velocity) {
        self.track = track
        self.notes = notes
        self.velocity = velocity
    }
}

/// What the machine needs to know about the instrument, which it never changes.
public struct GestureContext: Sendable {
    /// Pattern, history, mixer and view settings.
    public var document: Document
    /// Whether the step clock runs.
    public var isPlaying: Bool
    /// Whether what is played at the MIDI input is recorded.
    public var isRecording: Bool
    /// Whether keys were played that can still be written.
    public var canCatch: Bool
    /// Whether audio runs; without it nothing plays.
    public var hasAudio: Bool
    /// The source that determines the tempo, nil while it is our own.
    public var tempoSource: SyncSource?
    /// The launches that are queued on each track.
    public var launches: LaunchQueue
    /// Whether the clock runs, so that launches wait for a step.
    public var clockRuns: Bool
    /// The names of all kits, the built-in ones first.
    public var kits: [String]
    /// The lens that is open on each track.
    public var lenses: OpenLenses

    public init(
        document: Document, isPlaying: Bool, isRecording: Bool = false, canCatch: Bool = false, hasAudio: Bool,
        tempoSource: SyncSource? = nil, launches: LaunchQueue = LaunchQueue(), clockRuns: Bool? = nil,
        kits: [String] = Track.rhythm.soundNames, lenses: OpenLenses = OpenLenses()
    ) {
        self.document = document
        self.isPlaying = isPlaying
        self.isRecording = isRecording
        self.canCatch = canCatch
        self.hasAudio = hasAudio
        self.tempoSource = tempoSource
        self.launches = launches
        self.clockRuns = clockRuns ?? (isPlaying && hasAudio)
        self.kits = kits
        self.lenses = lenses
    }
}
