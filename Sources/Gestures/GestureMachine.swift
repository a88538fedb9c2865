import Music

/// Turns touches and the passing of time into actions. It reads no clock and does no I/O.
///
/// Times are durations since any fixed origin and never go back.
public struct GestureMachine: Sendable {
    /// A machine that no finger touches.
    public init() {}

    /// When ``advance(to:in:)`` must be called next, nil while no finger waits for anything.
    public var nextDeadline: Duration? { nil }

    /// What the drags under way would write, touch by touch in the order of their `down`.
    public var previews: [[PreviewCell]] { [] }

    /// Changes of direction counted by a scrub under way, 0 to 5; nil while there is none.
    public var scrubChanges: Int? { nil }

    /// Takes a message from a client. The place of a `down` is on the grid; others are clamped to it.
    public mutating func touch(
        _ touch: Touch, by client: ClientID, on surface: TouchSurface, at now: Duration, in context: GestureContext
    ) -> [Action] { [] }

    /// Lets time pass: holds, repeats and the end of counts happen when their moment has come.
    public mutating func advance(to now: Duration, in context: GestureContext) -> [Action] { [] }

    /// Judges drags anew after scale, root, length or notes changed under them.
    public mutating func contextChanged(at now: Duration, in context: GestureContext) -> [Action] { [] }

    /// Drops all touches of a client that went away: nothing is written.
    public mutating func disconnect(_ client: ClientID) {}
}
