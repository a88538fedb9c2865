import Grid
import Music

// The parameters of the methods that have more than three, each as in the method's description.

/// Who a client is, for `hello`; nil for what it does not say.
public struct HelloCall: Sendable {
    /// Its name, for people.
    public var client: String?
    /// How precisely it knows where its fingers are.
    public var surface: TouchSurface?
    /// Whether it is on another machine.
    public var isRemote: Bool?
    /// False for pictures without tooltips.
    public var tooltips: Bool?

    public init(client: String?, surface: TouchSurface? = nil, isRemote: Bool? = nil, tooltips: Bool? = nil) {
        self.client = client
        self.surface = surface
        self.isRemote = isRemote
        self.tooltips = tooltips
    }
}

/// What a finger did, for `touch`: not yet known to be a possible touch.
public struct TouchCall: Sendable {
    /// The client's own number for the finger.
    public var id: Int
    public var phase: TouchPhase
    /// Cells from the left; nil only for a cancelled touch.
    public var x: Double?
    /// Cells from the top; nil only for a cancelled touch.
    public var y: Double?
    /// When, by the client's clock, in ms.
    public var milliseconds: Double?

    public init(_ touch: Touch) {
        self.init(
            id: touch.id, phase: touch.phase, x: touch.x, y: touch.y,
            milliseconds: touch.time.map { $0 / .milliseconds(1) })
    }

    init(id: Int, phase: TouchPhase, x: Double?, y: Double?, milliseconds: Double?) {
        self.id = id
        self.phase = phase
        self.x = x
        self.y = y
        self.milliseconds = milliseconds
    }
}

/// A cell and what is put into it, for `note.set`.
public struct NoteCall: Sendable {
    public var track: Track
    /// 0 to 31.
    public var step: Int
    /// 0 to 11.
    public var note: Int
    public var velocity: Velocity
    /// 1 to 8; nil for the playing one.
    public var slot: Int?
    /// Those that differ from a new note's.
    public var values: [NoteValue: Int]

    public init(
        _ track: Track, step: Int, note: Int, _ velocity: Velocity, slot: Int? = nil, values: [NoteValue: Int] = [:]
    ) {
        self.track = track
        self.step = step
        self.note = note
        self.velocity = velocity
        self.slot = slot
        self.values = values
    }
}

/// Values for the notes that start on a step, for `note.adjust`.
public struct NoteAdjustment: Sendable {
    public var track: Track
    /// 0 to 31.
    public var step: Int
    /// 0 to 11; nil for all that start on the step.
    public var note: Int?
    /// 1 to 8; nil for the playing one.
    public var slot: Int?
    public var values: [NoteValue: Int]

    public init(_ track: Track, step: Int, note: Int? = nil, slot: Int? = nil, values: [NoteValue: Int]) {
        self.track = track
        self.step = step
        self.note = note
        self.slot = slot
        self.values = values
    }
}

/// A point of a motion, for `motion.set`.
public struct MotionCall: Sendable {
    public var track: Track
    /// One that can move.
    public var parameter: Parameter
    /// 0 to 31.
    public var step: Int
    /// In the parameter's range; nil removes the point.
    public var value: Double?
    /// 1 to 8; nil for the playing one.
    public var slot: Int?

    public init(_ track: Track, _ parameter: Parameter, step: Int, value: Double?, slot: Int? = nil) {
        self.track = track
        self.parameter = parameter
        self.step = step
        self.value = value
        self.slot = slot
    }
}

/// The time of a slot, for `slot.set`.
public struct SlotCall: Sendable {
    public var track: Track
    /// 1 to 8; nil for the playing one.
    public var slot: Int?
    /// 1 to 32, 0 to follow the pattern's; nil leaves it as it is.
    public var length: Int?
    /// Nil leaves it as it is.
    public var speed: Speed?

    public init(_ track: Track, slot: Int?, length: Int?, speed: Speed?) {
        self.track = track
        self.slot = slot
        self.length = length
        self.speed = speed
    }
}

/// What is exported, for `export.midi` and `export.wav`.
public struct ExportCall: Sendable {
    /// Where to, absolute; nil to have the file returned or rendered in the background.
    public var path: String?
    /// How many times it is played, 1 to 1000.
    public var loops: Int
    /// Frames per second; nil for JACK's.
    public var rate: Int?
    /// The scenes to play, 1 to 8, a loop each; nil for what plays now.
    public var scenes: [Int]?
    /// Whether to play every track's chain once instead.
    public var chain: Bool?
    /// Whether to write the parts of the mix, too; only for sound files.
    public var stems: Bool?

    public init(
        path: String?, loops: Int = 1, rate: Int? = nil, scenes: [Int]? = nil, chain: Bool? = nil, stems: Bool? = nil
    ) {
        self.path = path
        self.loops = loops
        self.rate = rate
        self.scenes = scenes
        self.chain = chain
        self.stems = stems
    }
}
