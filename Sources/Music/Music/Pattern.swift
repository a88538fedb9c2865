/// The contents of a pattern file: the notes of all slots, and the parameters for playing them.
public struct Pattern: Equatable, Sendable {
    /// The most Unicode scalars in a name: each step of the undo history may hold one.
    public static let longestName = 256

    /// The name that the performer gave it, at most ``longestName`` long; empty for none.
    public var name = ""
    /// The notes of all slots, in the order of ``Slot/all``.
    private var slots = [SlotNotes](repeating: SlotNotes(), count: Slot.all.count)
    /// Which slot of each track plays.
    public var playing = PlayingSlots()
    /// The parameters that belong to the pattern: how it is played. Those of the instrument are not used.
    public var parameters = ParameterValues()
    /// Seconds since 1970-01-01 UTC at which the pattern was made, nil when not known.
    public var created: Int?
    /// Seconds since 1970-01-01 UTC at which the pattern was last saved or exported, nil when not known.
    public var modified: Int?

    /// An empty pattern: C major, 120 BPM, 32 steps, straight.
    public init() {}

    /// The same, with the sounds of a new instrument.
    public static let ofNewInstrument = {
        var pattern = Pattern()
        pattern.parameters = .ofNewInstrument
        return pattern
    }()

    /// The notes of a slot, including those of hidden steps.
    public subscript(slot: Slot) -> SlotNotes {
        get { slots[slot.track.rawValue * Slot.count + slot.index] }
        set { slots[slot.track.rawValue * Slot.count + slot.index] = newValue }
    }

    /// The notes that a track plays, including those of hidden steps.
    public subscript(track: Track) -> SlotNotes {
        get { self[playing[track]] }
        set { self[playing[track]] = newValue }
    }

    /// The notes that a track plays on a step, 0 to 31.
    public subscript(track: Track, step: Int) -> StepNotes {
        get { self[track][step] }
        set { self[track][step] = newValue }
    }

    /// A note, 0 to 11, that a track plays on a step, 0 to 31.
    public subscript(track: Track, note: Int, step: Int) -> Velocity {
        get { self[track][note, step] }
        set { self[track][note, step] = newValue }
    }

    /// The notes that all tracks play, in their order.
    public var played: [SlotNotes] { Track.allCases.map { self[$0] } }

    /// The notes of a slot that sound and are shown: without sustain cells whose head is hidden or gone.
    public func sounding(_ slot: Slot) -> SlotNotes { self[slot].removingHeadless(ofWhole: length) }

    /// The notes of a track's playing slot, without hidden and headless ones.
    public func sounding(_ track: Track) -> SlotNotes { sounding(playing[track]) }

    /// The pattern without headless sustain cells in the slots that play.
    package func settled() -> Pattern {
        var pattern = self
        for track in Track.allCases { pattern[track] = sounding(track) }
        return pattern
    }

    /// Whether a slot has notes, including those of hidden steps.
    public func isFilled(_ slot: Slot) -> Bool { self[slot].hasNotes }

    /// The slots that have notes, hidden steps included, in the order of ``Slot/all``.
    public var filledSlots: [Slot] { Slot.all.filter(isFilled) }

    /// The slots that do not play and are not empty, in the order of ``Slot/all``.
    public var restingSlots: [Slot] { Slot.all.filter { !self[$0].isEmpty && !playing.contains($0) } }

    /// How many steps of a slot are played and shown.
    public func length(of slot: Slot) -> Int { self[slot].shownLength(ofWhole: length) }

    /// How many steps of a track's playing slot are played and shown.
    public func length(of track: Track) -> Int { length(of: playing[track]) }

    /// The pattern once for each of these scenes, from 0, with that scene playing; unchanged without scenes.
    public func scenes(_ indices: [Int]) -> [Pattern] { turns(indices.map { PlayingSlots(scene: $0) }) }

    /// The pattern once for each of these turns, with its slots playing; unchanged without turns.
    public func turns(_ turns: [PlayingSlots]) -> [Pattern] {
        guard !turns.isEmpty else { return [self] }
        return turns.map { playing in
            var pattern = self
            pattern.playing = playing
            return pattern
        }
    }
}
