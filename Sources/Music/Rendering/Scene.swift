import Grid
import Music

/// Everything that the grid shows at one moment.
///
/// Times are durations since any fixed origin, which the renderer's `now` shares.
public struct Scene: Sendable {
    /// Pattern, history, mixer and view settings.
    public var document: Document
    /// Whether the step clock runs: decides the colour of play/stop and of the playing step.
    public var isPlaying = false
    /// Whether the MIDI input is recorded while the clock runs.
    public var isRecording = false
    /// Whether keys were played that can still be written.
    public var canCatch = false
    /// The current step, nil when stopped.
    public var playhead: Playhead?
    /// The notes that the step clock started last, or is about to start.
    public var pulses: [Pulse] = []
    /// What the fingers would write if they were lifted now, in the order of their `down`.
    public var previews: [[PreviewCell]] = []
    /// The text on the grid, and when its timeout started; nil while its drag is under way and keeps it there.
    public var tooltip: (tooltip: Tooltip, shownAt: Duration?)?
    /// The beats of the source that is followed, nil without one or while nothing plays.
    public var beat: Beat?
    /// The changes of direction of the current scrub, nil without one.
    public var scrubChanges: Int?
    /// The launches that are queued on each track.
    public var launches = LaunchQueue()
    /// The pads that were picked up for copying.
    public var pickedUp: Set<Pad> = []
    /// The lens that is open on each track.
    public var lenses = OpenLenses()
    /// Whether FILL is held.
    public var isFilling = false
    /// The punch-ins that are held.
    public var punchBars: [PunchBar] = []
    /// Level of each track's meter in dBFS, in the order of the tracks; -infinity for silence.
    public var levels: [Double] = [-.infinity, -.infinity, -.infinity, -.infinity]

    /// A stopped instrument with a document.
    public init(document: Document) {
        self.document = document
    }
}

/// An effect that is held, as its zone of the overview shows it.
public struct PunchBar: Equatable, Sendable {
    /// 0 to 3, from left to right.
    public var zone: Int
    /// 0 to 1: how much of the zone is covered.
    public var amount: Double
    /// Whether it acts on rhythm alone.
    public var isRhythmAlone: Bool

    public init(zone: Int, amount: Double, isRhythmAlone: Bool) {
        self.zone = zone
        self.amount = amount
        self.isRhythmAlone = isRhythmAlone
    }
}

/// Beats that follow each other evenly.
public struct Beat: Equatable, Sendable {
    /// When one of them was heard.
    public var startedAt: Duration
    /// The time from one beat to the next.
    public var length: Duration

    /// Beats that follow each other evenly.
    public init(startedAt: Duration, length: Duration) {
        self.startedAt = startedAt
        self.length = length
    }

    /// Whether a moment lies in the first quarter of a beat.
    func isFresh(at now: Duration) -> Bool { part(at: now) < 0.25 }

    /// When the next beat begins, or the first quarter of the current one ends.
    func nextChange(after now: Duration) -> Duration {
        let part = part(at: now)
        // At least a millisecond away: rounded down to now, it would cause endless redraws.
        return now + max(.milliseconds(1), length * ((part < 0.25 ? 0.25 : 1) - part))
    }

    private func part(at now: Duration) -> Double {
        let beats = (now - startedAt) / length
        return beats - beats.rounded(.down)
    }
}

/// The step that the clock is on.
public struct Playhead: Equatable, Sendable {
    /// The whole's step, 0 to 31.
    public var step: Int
    /// The step of each track, 0 to 31, in their order.
    public var trackSteps: [Int]
    /// Steps since the song's start, if the clock started it.
    public var songStep: Int
    /// When the step was first heard; nil for one that the clock did not start (paused or located there).
    public var startedAt: Duration?

    /// The step that the clock is on; that of each track is the same unless given.
    public init(step: Int, trackSteps: [Int]? = nil, songStep: Int = 0, startedAt: Duration?) {
        self.step = step
        self.trackSteps = trackSteps ?? Track.allCases.map { _ in step }
        self.songStep = songStep
        self.startedAt = startedAt
    }
}

/// The notes of a track that the clock started together.
public struct Pulse: Equatable, Sendable {
    public var track: Track
    /// The step that they are on.
    public var step: Int
    /// The heads that sounded.
    public var notes: StepNotes
    /// When they were first heard.
    public var startedAt: Duration

    /// Notes that the clock started together.
    public init(_ track: Track, step: Int, notes: StepNotes, startedAt: Duration) {
        self.track = track
        self.step = step
        self.notes = notes
        self.startedAt = startedAt
    }
}
