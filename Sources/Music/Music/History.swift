/// The undo history: edits of notes, imports, loads and new starts, changes of sounds and of the mixer; at most 100 steps,
/// shared by all clients.
public struct History: Equatable, Sendable {
    /// The result of undoing or redoing a step.
    package enum Side: Equatable, Sendable {
        /// An edit: the notes of the slots that it wrote, at most one of each track.
        case notes([Slot: SlotNotes])
        /// An import, a load or a new start: all of the pattern; a new start sets the mixer too.
        case pattern(Pattern, mixer: ParameterValues? = nil)
        /// A change of a parameter.
        case parameter(Parameter, on: Track?, ParameterValue)
    }

    /// One undo step.
    ///
    /// A class, so that a copy of a history copies a hundred references: each touch that edits makes copies of the document.
    package final class Entry: Equatable, Sendable {
        package let before: Side
        package let after: Side

        package init(before: Side, after: Side) {
            self.before = before
            self.after = after
        }

        package static func == (left: Entry, right: Entry) -> Bool {
            left === right || left.before == right.before && left.after == right.after
        }

        /// Whether it is an import, a load or a new start.
        var replacesPattern: Bool { if case .pattern = after { true } else { false } }
    }

    /// What the newest edit dropped: the redo side, and the oldest step if there were too many.
    package struct Dropped: Equatable, Sendable {
        package var redoable: [Entry]
        package var oldest: Entry?

        package init(redoable: [Entry], oldest: Entry?) {
            self.redoable = redoable
            self.oldest = oldest
        }
    }

    /// The most undo steps that are kept.
    public static let capacity = 100

    /// Steps that can be undone, the newest last.
    package private(set) var undoable: [Entry] = []
    /// Steps that can be redone, the next one last.
    package private(set) var redoable: [Entry] = []
    /// What an undo would undo now, in words: `the preset of Bass`; nil if there is nothing.
    public var nextUndo: String? { undoable.last?.words }
    /// What a redo would redo now; nil if there is nothing.
    public var nextRedo: String? { redoable.last?.words }

    /// What an undo would undo after ``retractNewest()``.
    public var nextUndoAfterRetraction: String? {
        dropped == nil ? nil : (undoable.dropLast().last ?? dropped?.oldest)?.words
    }
    /// What a redo would redo after ``retractNewest()``.
    public var nextRedoAfterRetraction: String? { dropped?.redoable.last?.words }

    /// What ``retractNewest()`` restores; nil when something other than an edit came last.
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

    /// The counts after ``retractNewest()``; nil when the newest edit cannot be retracted.
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

    /// Lets the newest step of a parameter end with another value, in its place.
    ///
    /// - Returns: Whether there is such a step.
    mutating func extend(_ parameter: Parameter, on track: Track?, to value: ParameterValue) -> Bool {
        guard let index = undoable.lastIndex(where: { $0.isOf(parameter, on: track) }) else { return false }
        undoable[index] = Entry(before: undoable[index].before, after: .parameter(parameter, on: track, value))
        return true
    }

    mutating func undo() -> Side? {
        guard let entry = undoable.popLast() else { return nil }
        revision += 1
        dropped = nil
        redoable.append(entry)
        return entry.before
    }

    mutating func redo() -> Side? {
        guard let entry = redoable.popLast() else { return nil }
        revision += 1
        dropped = nil
        undoable.append(entry)
        return entry.after
    }

    /// Removes the newest edit: both sides are as before it.
    mutating func retractNewest() -> Side? {
        guard let dropped, let entry = undoable.popLast() else { return nil }
        revision += 1
        if let oldest = dropped.oldest { undoable.insert(oldest, at: 0) }
        redoable = dropped.redoable
        self.dropped = nil
        return entry.before
    }

    /// Whether both sides hold the same steps.
    public static func == (left: History, right: History) -> Bool {
        left.undoable == right.undoable && left.redoable == right.redoable
    }
}
