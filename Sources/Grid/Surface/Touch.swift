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
    /// When the finger did it, by the client's own clock, whose zero is anywhere; nil if the client does not say.
    public var time: Duration?

    /// A message about a finger.
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
