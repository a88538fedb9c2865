/// A client's connection, numbered by the daemon.
public struct ClientID: Hashable, Sendable {
    /// Unique for the daemon's life.
    public let number: Int

    /// The client with a number.
    public init(_ number: Int) { self.number = number }
}

/// What a finger did.
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
    /// What the finger did.
    public var phase: TouchPhase
    /// Place in cells from the left, the integer part being the column; not used by `cancel`.
    public var x: Double
    /// Place in cells from the top, the integer part being the row; not used by `cancel`.
    public var y: Double

    /// A message about a finger.
    public init(id: Int, phase: TouchPhase, x: Double, y: Double) {
        self.id = id
        self.phase = phase
        self.x = x
        self.y = y
    }
}

/// What a client's touch surface can tell, as declared with `hello`.
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

    /// A surface; finer than cells with 20 px cells and 1 px gaps unless told otherwise.
    public init(resolution: Resolution = .subcell, cellPixels: Double = 21) {
        self.resolution = resolution
        self.cellPixels = cellPixels
    }
}
