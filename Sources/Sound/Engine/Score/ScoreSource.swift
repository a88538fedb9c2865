import Music

/// Everything that a score is made of: a plain value, of which takes keep the changes. Equal sources make equal scores, bit
/// for bit.
public struct ScoreSource: Sendable {
    /// The notes of all slots as they are edited, in the order of `Slot.all`.
    public var slots: [SlotNotes]
    /// See ``Score/parameters``.
    public var parameters: ParameterBlock
    /// See ``Score/launches``.
    public var launches: PerTrack<NumberedLaunches> = PerTrack(repeating: NumberedLaunches())
    /// See ``Score/isSilent``.
    public var isSilent: PerTrack<Bool> = PerTrack(repeating: false)
    /// See ``Score/tempoRevision``.
    public var tempoRevision = 0
    /// See ``Score/patternRevision``.
    public var patternRevision = 0
    /// See ``Score/isFilling``.
    public var isFilling = false
    /// See ``Score/isMidiCircular``.
    public var isMidiCircular = false
    /// See ``Score/bindings``.
    public var bindings = BoundKeys()

    /// A new instrument's.
    public init() {
        slots = Array(repeating: SlotNotes(), count: Slot.all.count)
        parameters = ParameterBlock()
    }

    /// A document's, without launches.
    public init(_ document: Document) {
        slots = Slot.all.map { document.pattern[$0] }
        parameters = ParameterBlock { document.number($0, $1) }
        for track in Track.allCases {
            launches[track.rawValue].playing = Int32(document.pattern.playing[track].index)
            isSilent[track.rawValue] = document.isSilent(track)
        }
        bindings = BoundKeys(document.bindings)
    }
}

extension Score {
    /// A source's score.
    public init(_ source: ScoreSource) {
        var builder = ScoreBuilder()
        self = builder.score(of: source)
    }
}
