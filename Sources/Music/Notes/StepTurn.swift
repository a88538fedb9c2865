/// A step of a track as it comes round in a song: what decides which of its notes play.
public struct StepTurn: Hashable, Sendable, BitwiseCopyable {
    /// In the order of ``Track``.
    public var track: Int
    /// Steps of the track since the song's start.
    public var count: Int64
    /// Which time around the loop it is.
    public var pass: Int64
    /// The pass in which the slot began to play.
    public var firstPass: Int64
    /// Whether somebody holds FILL.
    public var isFilling: Bool

    /// A step's turn.
    @_noLocks @_noAllocation
    public init(track: Int, count: Int64, pass: Int64, firstPass: Int64, isFilling: Bool = false) {
        (self.track, self.count, self.pass, self.firstPass) = (track, count, pass, firstPass)
        self.isFilling = isFilling
    }
}

extension Note {
    /// Whether the note, 0 to 11, that starts on a step plays when its turn comes: what does not is not there.
    @_noLocks @_noAllocation
    public func plays(_ number: Int, at turn: StepTurn, by dice: Dice) -> Bool {
        guard Cycle.plays(self[.cycle], at: turn) else { return false }
        let chance = self[.chance]
        return chance == 100 || dice.number(count: turn.count, track: turn.track, note: number) < Double(chance) / 100
    }
}
