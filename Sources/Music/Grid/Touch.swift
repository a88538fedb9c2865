import Music

public enum TouchPhase: String, CaseIterable, Sendable {
    case down
    case move
    case up
    case cancel
}

/// One message about a finger.
public struct Touch: Equatable, Sendable {
    /// The client's own id of the finger.
    public var id: Int
    public var phase: TouchPhase
    /// Place in cells from the left, the integer part being the column; not used by `cancel`.
    public var x: Double
    /// Place in cells from the top, the integer part being the row; not used by `cancel`.
    public var y: Double
    /// When it happened, by the client's own clock with any origin; nil if the client does not report it.
    public var time: Duration?

    public init(id: Int, phase: TouchPhase, x: Double, y: Double, time: Duration? = nil) {
        self.time = time
        self.id = id
        self.phase = phase
        self.x = x
        self.y = y
    }
    /// A finger in the middle of a cell.
    public init(id: Int, _ phase: TouchPhase, column: Int, row: Int) {
        self.init(id: id, phase: phase, x: Double(column) + 0.5, y: Double(row) + 0.5)
    }
}

/// The effect of a touch.
public struct TouchOutcome: Equatable, Sendable {
    /// `tap`, `accent`, `erase`, `clear`, `undo`, `redo`, `slide`, `paste`, or the drag's tooltip in lower case; nil
    /// when the pattern did not change.
    public var gesture: String?
    /// Cells written; 0 for erase, clear, undo and redo.
    public var notes: Int?
    /// The first audio frame in which it can be heard, nil without audio.
    public var frame: Int64?

    public init(gesture: String? = nil, notes: Int? = nil, frame: Int64? = nil) {
        self.gesture = gesture
        self.notes = notes
        self.frame = frame
    }
}

/// What a client's touch surface can distinguish, as declared with `hello`.
public struct TouchSurface: Equatable, Sendable {
    /// How finely places are known.
    public enum Resolution: String, CaseIterable, Sendable {
        /// Places inside cells.
        case subcell
        /// Cells only.
        case cell
    }

    /// How finely places are known.
    public var resolution: Resolution
    /// Display pixels from one cell to the next.
    public var cellPixels: Double
    /// Whether it is on another machine, and may fall silent without closing its connection.
    public var isRemote = false

    /// A surface; finer than cells with 20 px cells and 1 px gaps by default.
    public init(resolution: Resolution = .subcell, cellPixels: Double = 21) {
        self.resolution = resolution
        self.cellPixels = cellPixels
    }

    /// A surface that knows cells only.
    public static let cell = TouchSurface(resolution: .cell)

    /// A surface that knows places inside cells; cells are this many pixels apart.
    public static func subcell(cellPixels: Double) -> TouchSurface { TouchSurface(cellPixels: cellPixels) }
}

/// A client's connection, numbered by the daemon.
public struct ClientID: Hashable, Sendable {
    /// Unique for the daemon's life.
    public let number: Int

    public init(_ number: Int) { self.number = number }
}

/// A text on the grid.
public struct Tooltip: Hashable, Sendable {
    /// How long it stays on the grid.
    public static let duration = Duration.milliseconds(1200)

    /// At most 11 characters of the pixel font are shown.
    public var text: String
    /// First row of the text, 0 to 19.
    public var row: Int
    /// Of an undo or a redo, what it changed: `the preset of Bass`.
    public var what: String?

    public init(text: String, row: Int, what: String? = nil) {
        self.text = text
        self.row = row
        self.what = what
    }
}

/// A cell that a drag would write if the finger were lifted now.
public struct PreviewCell: Hashable, Sendable {
    public var track: Track
    /// 0 to 11.
    public var note: Int
    /// 0 to 31.
    public var step: Int
    /// The velocity that would be written.
    public var velocity: Velocity

    public init(track: Track, note: Int, step: Int, velocity: Velocity) {
        self.track = track
        self.note = note
        self.step = step
        self.velocity = velocity
    }
}
