import Grid

/// A finger on the grid, from its `down` until it is lifted or dropped, or can have no further effect.
protocol Contact: Sendable {
    /// The finger's wait, after which ``expire(in:)`` is called; nil without one.
    var wait: Wait? { get }
    /// What lifting the finger now would write.
    var preview: [PreviewCell] { get }
    /// The drag under way, nil while there is none.
    var drag: DragID? { get }
    /// Changes of direction, nil when the finger does not scrub.
    var scrubChanges: Int? { get }
    /// Whether the finger holds FILL.
    var isFilling: Bool { get }

    /// A message about any of the client's fingers has arrived.
    mutating func messageArrived(at now: TouchMoment)
    /// The finger's wait is over.
    mutating func expire(in turn: inout Turn)
    /// The finger was reported at a place.
    mutating func move(to place: Place, in turn: inout Turn)
    /// The finger was lifted where it was reported last.
    mutating func lift(in turn: inout Turn)
    /// The finger is dropped as if it had never been there.
    mutating func abandon(in turn: inout Turn)
    /// Adapts to a change of scale, root, length, notes or lenses; false when there is nothing under the finger any
    /// more.
    mutating func judgeAnew(in turn: Turn) -> Bool
}

extension Contact {
    var wait: Wait? { nil }
    var preview: [PreviewCell] { [] }
    var drag: DragID? { nil }
    var scrubChanges: Int? { nil }
    var isFilling: Bool { false }

    mutating func messageArrived(at now: TouchMoment) {}
    mutating func expire(in turn: inout Turn) {}
    mutating func move(to place: Place, in turn: inout Turn) {}
    mutating func lift(in turn: inout Turn) {}
    mutating func abandon(in turn: inout Turn) {}
    mutating func judgeAnew(in turn: Turn) -> Bool { true }
}
