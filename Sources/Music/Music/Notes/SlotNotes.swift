/// One value for each step of a slot.
public typealias PerStep<Value> = InlineArray<32, Value>

/// The contents of a slot: the twelve notes of a track on each of 32 steps, whatever the length; its own length and
/// speed; and its motions.
public struct SlotNotes: Equatable, Sendable {
    /// Steps that a slot has room for; one step is a sixteenth note.
    public static let stepCount = PerStep<Bool>.count

    /// An array, which copies share: the history keeps many, and most slots are empty.
    private var steps: [StepNotes]
    /// Steps of its own loop, 1 to ``stepCount``; nil to follow the whole's length.
    public var length: Int?
    /// How fast its steps follow each other.
    public var speed = Speed.normal
    /// How parameters move while the slot plays.
    public var motions = Motions()

    private static let none = [StepNotes](repeating: StepNotes(), count: stepCount)

    public init() { steps = SlotNotes.none }

    /// The notes on a step, 0 to 31.
    public subscript(step: Int) -> StepNotes {
        get { steps[step] }
        set { steps[step] = newValue }
    }

    /// The velocity of a note, 0 to 11, on a step, 0 to 31.
    public subscript(note: Int, step: Int) -> Velocity {
        get { steps[step][note] }
        set { steps[step][note] = newValue }
    }

    /// How many notes are not off.
    public var count: Int { steps.reduce(0) { $0 + $1.notes.count } }

    /// Whether it is like a new one.
    public var isEmpty: Bool { self == SlotNotes() }

    /// Whether any note is not off.
    public var hasNotes: Bool { steps != SlotNotes.none }

    /// Whether all cells are the same as another slot's.
    func hasCells(of other: SlotNotes) -> Bool { steps == other.steps }

    /// How many steps are played and shown, where the whole has this length.
    public func shownLength(ofWhole length: Int) -> Int { self.length ?? length }

    /// When its steps are played.
    public func time(in whole: Loop) -> TrackTime { TrackTime(length: length, speed: speed, whole: whole) }

    /// Whether any note prolongs another.
    var hasSustains: Bool { steps.contains { !$0.sustains.isEmpty } }
}

// A sustain cell prolongs the same note of the step before it. Without a head (a normal or accent cell that it leads
// back to) it is headless: silent, not shown, and gone for good with the next edit of notes.

extension SlotNotes {
    /// How many sustain cells follow the head of a note without a gap, cyclically within the length.
    public func sustainCount(after head: Int, of note: Int, length: Int) -> Int {
        var count = 0
        var step = (head + 1) % length
        while count < length - 1, self[note, step] == .sustain {
            count += 1
            step = (step + 1) % length
        }
        return count
    }

    /// These notes without the headless ones: what sounds and is shown where the whole has this length, and what an edit
    /// leaves.
    public func removingHeadless(ofWhole wholeLength: Int) -> SlotNotes {
        guard hasSustains else { return self }
        let length = shownLength(ofWhole: wholeLength)
        var result = self
        var sounding = NoteSet()
        // What sounds on the last step decides what sounds on the first: the first time round only finds that out.
        for step in 0..<length { sounding = self[step].sounding(after: sounding) }
        for step in 0..<SlotNotes.stepCount {
            sounding = self[step].sounding(after: sounding)
            result[step] = self[step].keeping(sounding)
        }
        return result
    }
}

extension StepNotes {
    /// The notes that sound here when the given ones sound on the step before: heads, and sustain cells of those.
    fileprivate func sounding(after previous: NoteSet) -> NoteSet {
        heads.union(sustains.intersection(previous))
    }
}
