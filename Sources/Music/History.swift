/// What one undo step holds on one of its sides.
public struct Snapshot: Equatable, Sendable {
    /// The cells of one slot of each track.
    public var cells: Cells
    /// The slots that the cells are those of.
    public var slots: PlayingSlots
    /// The rest of the pattern, for steps that set it too: an import or a load. It has no cells of what plays.
    public let settings: Pattern?

    /// One side of an undo step.
    package init(cells: Cells, slots: PlayingSlots, settings: Pattern? = nil) {
        self.cells = cells
        self.slots = slots
        self.settings = settings.map { pattern in
            var pattern = pattern
            pattern.cells = Cells()
            return pattern
        }
    }
}

/// Undo and redo over edits of notes, imports and loads: at most 100 steps, shared by all clients.
public struct History: Equatable, Sendable {
    /// One undo step.
    ///
    /// A class, so that a copy of a history copies a hundred references: each touch that edits makes copies of the document,
    /// and a step takes more than a kilobyte.
    package final class Entry: Equatable, Sendable {
        package let before: Snapshot
        package let after: Snapshot

        package init(before: Snapshot, after: Snapshot) {
            self.before = before
            self.after = after
        }

        package static func == (left: Entry, right: Entry) -> Bool {
            left === right || left.before == right.before && left.after == right.after
        }
    }

    /// The way from one side of a step to the other.
    struct Transition {
        let from: Snapshot
        let to: Snapshot
    }

    /// What the newest edit pushed out: the redo side, and the step that fell out at the far end.
    package struct Dropped: Equatable, Sendable {
        package var redoable: [Entry]
        package var oldest: Entry?

        package init(redoable: [Entry], oldest: Entry?) {
            self.redoable = redoable
            self.oldest = oldest
        }
    }

    /// Undo steps that are kept; the oldest goes first.
    public static let capacity = 100

    /// Steps that can be undone, the newest last.
    package private(set) var undoable: [Entry] = []
    /// Steps that can be redone, the next one last.
    package private(set) var redoable: [Entry] = []
    /// What ``retractNewest()`` brings back; nil when something other than an edit came last.
    package private(set) var dropped: Dropped?

    /// Counts edits, undos, redos and retractions: equal values mean that nothing happened in between.
    public private(set) var revision = 0

    /// An empty history.
    public init() {}

    /// A history as it was stored; each side must hold at most ``capacity`` steps.
    package init(undoable: [Entry], redoable: [Entry], dropped: Dropped?) {
        precondition(undoable.count <= History.capacity && redoable.count <= History.capacity)
        self.undoable = undoable
        self.redoable = redoable
        self.dropped = dropped
    }

    /// Steps that can be undone.
    public var undoCount: Int { undoable.count }
    /// Steps that can be redone.
    public var redoCount: Int { redoable.count }

    /// Steps that could be undone and redone once the newest edit were taken back by ``retractNewest()``, as if it had never
    /// been made; nil when it no longer can be.
    public var countsAfterRetraction: (undo: Int, redo: Int)? {
        guard let dropped else { return nil }
        return (undoable.count - 1 + (dropped.oldest == nil ? 0 : 1), dropped.redoable.count)
    }

    mutating func record(_ entry: Entry) {
        revision += 1
        undoable.append(entry)
        let oldest = undoable.count > History.capacity ? undoable.removeFirst() : nil
        dropped = Dropped(redoable: redoable, oldest: oldest)
        redoable = []
    }

    /// Makes the newest step end in another state, so that it and what follows are one step.
    mutating func amendNewest(after cells: Cells) {
        guard let newest = undoable.popLast() else { preconditionFailure("no step to amend") }
        revision += 1
        var after = newest.after
        after.cells = cells
        undoable.append(Entry(before: newest.before, after: after))
    }

    mutating func undo() -> Transition? {
        guard let entry = undoable.popLast() else { return nil }
        revision += 1
        dropped = nil
        redoable.append(entry)
        return Transition(from: entry.after, to: entry.before)
    }

    mutating func redo() -> Transition? {
        guard let entry = redoable.popLast() else { return nil }
        revision += 1
        dropped = nil
        undoable.append(entry)
        return Transition(from: entry.before, to: entry.after)
    }

    /// Takes the newest edit back: history and redo side are as before it.
    mutating func retractNewest() -> Transition? {
        guard let dropped, let entry = undoable.popLast() else { return nil }
        revision += 1
        if let oldest = dropped.oldest { undoable.insert(oldest, at: 0) }
        redoable = dropped.redoable
        self.dropped = nil
        return Transition(from: entry.after, to: entry.before)
    }

    /// Whether both sides hold the same steps; how they came about does not matter.
    public static func == (left: History, right: History) -> Bool {
        left.undoable == right.undoable && left.redoable == right.redoable
    }
}
