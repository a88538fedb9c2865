/// Room for the notes of one track. Each track has eight; one of them plays, is shown, and is edited.
public struct Slot: Hashable, Sendable {
    /// Slots of a track.
    public static let count = 8

    /// The track that has the slot.
    public let track: Track
    /// Which of the track's slots it is, from 0.
    public let index: Int

    /// A slot of a track, 0 to 7.
    public init(_ track: Track, _ index: Int) {
        precondition((0..<Slot.count).contains(index), "slot \(index) outside 0...7")
        self.track = track
        self.index = index
    }

    /// The slot's number for people, from 1.
    public var number: Int { index + 1 }

    /// A scene: the slot of that index of every track.
    public static func scene(_ index: Int) -> [Slot] { Track.allCases.map { Slot($0, index) } }
}

/// Which slot of each track plays.
public struct PlayingSlots: Hashable, Sendable {
    private var indices = SIMD4<UInt8>()

    /// The first of each track.
    public init() {}

    /// The index of the track's slot that plays.
    public subscript(track: Track) -> Int {
        get { Int(indices[track.rawValue]) }
        set {
            precondition((0..<Slot.count).contains(newValue), "slot \(newValue) outside 0...7")
            indices[track.rawValue] = UInt8(newValue)
        }
    }

    /// The slots themselves.
    public var all: [Slot] { Track.allCases.map { Slot($0, self[$0]) } }

    /// Whether the slot is one of them.
    public func contains(_ slot: Slot) -> Bool { self[slot.track] == slot.index }
}

/// The notes of one track on 32 steps: what a slot holds.
public struct TrackCells: Sendable, Equatable {
    fileprivate var steps: [StepNotes]

    /// No notes.
    public init() { steps = [StepNotes](repeating: StepNotes(), count: Cells.stepCount) }

    /// The cells on a step, 0 to 31.
    public subscript(step: Int) -> StepNotes {
        get { steps[step] }
        set { steps[step] = newValue }
    }

    /// How many cells are not off.
    public var count: Int { steps.reduce(0) { $0 + $1.notes.count } }

    /// Whether all cells are off.
    public var isEmpty: Bool { steps.allSatisfy(\.isEmpty) }
}

extension Cells {
    /// The cells of one track.
    public subscript(track: Track) -> TrackCells {
        get {
            var notes = TrackCells()
            for step in 0..<Cells.stepCount { notes[step] = self[track, step] }
            return notes
        }
        set { for step in 0..<Cells.stepCount { self[track, step] = newValue[step] } }
    }
}

extension TrackCells {
    /// The cells without headless ones; see ``Cells/removingHeadless(length:)``.
    public func removingHeadless(length: Int) -> TrackCells {
        var cells = Cells()
        cells[.melody] = self
        return cells.removingHeadless(length: length)[.melody]
    }
}

extension Pattern {
    /// The notes of a slot, whether it plays or not.
    public subscript(slot: Slot) -> TrackCells {
        get { playing.contains(slot) ? cells[slot.track] : resting[slot] ?? TrackCells() }
        set {
            if playing.contains(slot) {
                cells[slot.track] = newValue
            } else {
                resting[slot] = newValue.isEmpty ? nil : newValue
            }
        }
    }

    /// Plays a slot in place of the one that its track plays.
    ///
    /// - Returns: Whether another one played.
    @discardableResult
    public mutating func launch(_ slot: Slot) -> Bool {
        guard !playing.contains(slot) else { return false }
        let (old, notes) = (Slot(slot.track, playing[slot.track]), self[slot])
        let oldNotes = self[old]
        resting[slot] = nil
        playing[slot.track] = slot.index
        self[old] = oldNotes
        self[slot] = notes
        return true
    }

    /// Lets the notes of what plays be those of other slots. Nothing else may be in these.
    package mutating func play(_ slots: PlayingSlots) {
        precondition(resting.isEmpty, "slots are named before they are filled")
        playing = slots
    }

    /// Whether a slot has notes, those of hidden steps included.
    public func isFilled(_ slot: Slot) -> Bool {
        playing.contains(slot) ? !cells.isEmpty(slot.track) : resting[slot] != nil
    }

    /// The slots of each track that have notes, hidden steps included: a bit for each slot.
    public var filledSlots: SIMD4<UInt8> {
        var filled = SIMD4<UInt8>()
        for slot in resting.keys { filled[slot.track.rawValue] |= 1 << UInt8(slot.index) }
        for track in Track.allCases where isFilled(Slot(track, playing[track])) {
            filled[track.rawValue] |= 1 << UInt8(playing[track])
        }
        return filled
    }

    /// The pattern with each of some scenes playing, from 0; as it is when there are none.
    public func scenes(_ indices: [Int]) -> [Pattern] {
        guard !indices.isEmpty else { return [self] }
        return indices.map { index in
            var pattern = self
            for slot in Slot.scene(index) { pattern.launch(slot) }
            return pattern
        }
    }

    /// Whether only the first slots are used.
    public var hasOnlyFirstSlots: Bool { playing == PlayingSlots() && resting.isEmpty }
}
