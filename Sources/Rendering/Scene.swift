import Grid
import Music

/// Everything that can be seen on the grid at one moment.
///
/// Times are durations since any fixed origin, the same as the `now` that the renderer is given.
public struct Scene: Sendable {
    /// Pattern, history, mixer and view settings.
    public var document: Document
    /// Whether the step clock runs: decides the colour of play/stop and of the playing step.
    public var isPlaying = false
    /// The current step, nil when stopped.
    public var playhead: Playhead?
    /// The notes that the step clock started last.
    public var pulse: Pulse?
    /// What the drags under way would write, in the order of their `down`.
    public var previews: [[PreviewCell]] = []
    /// The text on the grid, and since when its time runs; nil while its drag is under way, as long as which it stays.
    public var tooltip: (tooltip: Tooltip, shownAt: Duration?)?
    /// Changes of direction of a scrub under way, nil when there is none.
    public var scrubChanges: Int?
    /// Level of each track's meter in dBFS, in the order of the tracks; -infinity for silence.
    public var levels: [Double] = [-.infinity, -.infinity, -.infinity, -.infinity]

    /// A stopped instrument with nothing on it but its document.
    public init(document: Document) {
        self.document = document
    }
}

/// The step that the clock is on.
public struct Playhead: Equatable, Sendable {
    /// 0 to 31.
    public var step: Int
    /// When the step was first heard; nil for one that the clock did not start (paused or located there).
    public var startedAt: Duration?

    /// The step that the clock is on.
    public init(step: Int, startedAt: Duration?) {
        self.step = step
        self.startedAt = startedAt
    }
}

/// The notes that the clock started together.
public struct Pulse: Equatable, Sendable {
    /// The step they stand on.
    public var step: Int
    /// The heads that sounded, in the order of the tracks.
    public var notes: [StepNotes]
    /// When they were first heard.
    public var startedAt: Duration

    /// Notes that the clock started together.
    public init(step: Int, notes: [StepNotes], startedAt: Duration) {
        self.step = step
        self.notes = notes
        self.startedAt = startedAt
    }
}
