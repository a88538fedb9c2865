import Music

/// What a slot plays: a plain value in a score.
public struct ScoreSlot: Sendable, BitwiseCopyable {
    /// The notes of each step, without headless sustain cells.
    public var notes: PerStep<StepNotes> = PerStep(repeating: StepNotes())
    /// How parameters move.
    public var motions = TrackMotions()
    /// Length and speed.
    public var time = SlotTime()

    /// An empty slot.
    public init() {}

    /// A slot of a pattern.
    public init(_ slot: Slot, of pattern: Pattern) {
        self.init(pattern[slot], wholeLength: pattern.length)
    }

    /// A slot where the whole pattern has a length in steps.
    init(_ slot: SlotNotes, wholeLength: Int) {
        let sounding = slot.removingHeadless(ofWhole: wholeLength)
        for step in 0..<stepCount { notes[step] = sounding[step] }
        motions = TrackMotions(sounding.motions, length: slot.shownLength(ofWhole: wholeLength))
        time = SlotTime(sounding)
    }
}

/// The length and speed of a slot: a plain value in a score.
public struct SlotTime: Sendable, BitwiseCopyable {
    /// Steps of its own loop, 1 to 32; 0 for the whole pattern's.
    public var length: Int32 = 0
    /// How fast the steps follow each other.
    public var speed = Speed.normal

    /// The whole pattern's.
    @_noLocks @_noAllocation
    public init() {}

    /// A slot's.
    init(_ slot: SlotNotes) {
        length = Int32(slot.length ?? 0)
        speed = slot.speed
    }

    /// When its steps are played.
    func time(in whole: Loop) -> TrackTime {
        TrackTime(length: length == 0 ? nil : Int(length), speed: speed, whole: whole)
    }
}

/// How the parameters of one track's slot move: a plain value in a score.
public struct TrackMotions: Sendable, BitwiseCopyable {
    /// The parameter's value at the start of each step, for each place; straight lines in between.
    var values: InlineArray<288, Float> = InlineArray(repeating: 0)
    /// Steps after which the motions repeat.
    var length: Int32 = 32
    /// One bit for each parameter that moves, by its place.
    var moving: UInt16 = 0

    /// Nothing moves.
    public init() {}

    /// The place of a movable parameter, nil for any other: the order of ``Parameter/movable``, which the callback must
    /// not read.
    @_noLocks @_noAllocation
    static func place(of parameter: Parameter) -> Int? {
        switch parameter {
        case .gain: 0
        case .pan: 1
        case .tone: 2
        case .reverb: 3
        case .delay: 4
        case .width: 5
        case .filter: 6
        case .drive: 7
        case .lfoDepth: 8
        default: nil
        }
    }

    /// A slot's motions.
    ///
    /// - Parameter length: Steps of the slot's loop, 1 to 32; points beyond it are ignored.
    public init(_ motions: Motions, length: Int) {
        self.length = Int32(length)
        for (place, parameter) in Parameter.movable.enumerated() {
            guard let line = motions.values(parameter, length: length) else { continue }
            moving |= 1 << UInt16(place)
            for (step, value) in line.enumerated() { values[place * stepCount + step] = Float(value) }
        }
    }
}
