import Music

/// How the parameters of one track's slot move: a plain value in the score.
public struct TrackMotions: Sendable, BitwiseCopyable {
    /// The parameter's value at the start of each step, for each place; straight lines in between.
    var values: InlineArray<160, Float> = InlineArray(repeating: 0)
    /// Steps after which the motions repeat.
    var length: Int32 = 32
    /// One bit for each parameter that moves, by its place.
    var moving: UInt8 = 0

    /// Nothing moves.
    public init() {}

    /// The place of a movable parameter, nil for any other: the order of ``Parameter/movable``, written out for the
    /// callback.
    @_noLocks @_noAllocation
    static func place(of parameter: Parameter) -> Int? {
        switch parameter {
        case .gain: 0
        case .pan: 1
        case .tone: 2
        case .reverb: 3
        case .delay: 4
        default: nil
        }
    }

    /// A slot's motions.
    ///
    /// - Parameter length: Steps of the slot's loop, 1 to 32; points beyond it are ignored.
    public init(_ motions: Motions, length: Int) {
        self.length = Int32(length)
        for (place, parameter) in Parameter.movable.enumerated() {
            for step in 0..<length {
                guard let value = motions.value(parameter, at: Double(step), length: length) else { break }
                moving |= 1 << UInt8(place)
                values[place * stepCount + step] = Float(value)
            }
        }
    }
}

/// The motions of a score: of what plays, and of what will be launched.
public struct ScoreMotions: Sendable, BitwiseCopyable {
    /// What each track plays.
    public var playing: PerTrack<TrackMotions> = PerTrack(repeating: TrackMotions())
    /// What each track's launch plays.
    public var launched: PerTrack<TrackMotions> = PerTrack(repeating: TrackMotions())

    /// Nothing moves.
    public init() {}
}
