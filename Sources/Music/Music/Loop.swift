/// The loop of the pattern: maps each step of the song to a step of the loop and a pass.
///
/// A song's steps are its sixteenths, counted from its start. A loop has no state: its position follows from the step
/// of the song alone.
public struct Loop: Hashable, Sendable, BitwiseCopyable {
    /// Steps from one beginning to the next, 1 or more.
    public var length: Int
    /// A step of the song on which it begins.
    public var origin: Int64

    /// A loop that begins with the song, or with another of its steps.
    @_noLocks @_noAllocation
    public init(length: Int, origin: Int64 = 0) {
        self.length = length
        self.origin = origin
    }

    /// Its own steps since its origin; negative before that.
    @_noLocks @_noAllocation
    public func count(at songStep: Int64) -> Int64 { songStep - origin }

    /// Its step, from 0.
    @_noLocks @_noAllocation
    public func step(at songStep: Int64) -> Int { Int(count(at: songStep) - pass(at: songStep) * Int64(length)) }

    /// Its pass, from 0; negative before its origin.
    @_noLocks @_noAllocation
    public func pass(at songStep: Int64) -> Int64 { quotient(count(at: songStep), Int64(length)) }

    /// The step of the song with which its pass begins.
    @_noLocks @_noAllocation
    public func passStart(at songStep: Int64) -> Int64 { songStep - Int64(step(at: songStep)) }

    /// A loop of another length that continues at the current step, modulo that length.
    @_noLocks @_noAllocation
    public func resized(to length: Int, at songStep: Int64) -> Loop {
        let step = step(at: songStep) % length
        let same = Loop(length: length, origin: origin)
        return same.step(at: songStep) == step ? same : Loop(length: length, origin: songStep - Int64(step))
    }
}

/// A division that rounds down, also below 0.
@_noLocks @_noAllocation
func quotient(_ dividend: Int64, _ divisor: Int64) -> Int64 {
    let quotient = dividend / divisor
    return dividend % divisor < 0 ? quotient - 1 : quotient
}

/// The positions of a song's steps: evenly spaced, except for the odd ones of the loop, which swing delays.
public struct SongGrid: Hashable, Sendable, BitwiseCopyable {
    /// Where an odd step lies between its even neighbours, 0.5 to 0.75.
    public var swing: Double
    /// The loop of the whole; tracks' own lengths do not matter.
    public var loop: Loop

    @_noLocks @_noAllocation
    public init(swing: Double, loop: Loop) {
        self.swing = swing
        self.loop = loop
    }

    /// Whether swing delays a step.
    @_noLocks @_noAllocation
    public func isLate(_ songStep: Int64) -> Bool {
        // A loop of even length needs no division.
        let step = loop.length & 1 == 0 ? songStep &- loop.origin : Int64(loop.step(at: songStep))
        return step & 1 == 1
    }

    /// The song position at which a step starts.
    @_noLocks @_noAllocation
    public func position(of songStep: Int64) -> Double {
        Double(songStep) + (isLate(songStep) ? 2 * swing - 1 : 0)
    }

    /// The song position at a part of a step, on a straight line from its start to that of the next.
    @_noLocks @_noAllocation
    public func position(of songStep: Int64, part: Double) -> Double {
        let start = position(of: songStep)
        return start + part * (position(of: songStep + 1) - start)
    }

    /// The step of a track, counted from the song's start, that starts nearest to a song position; the later of two
    /// equally near.
    @_noLocks @_noAllocation
    public func nearestCount(of time: TrackTime, to position: Double) -> Int64 {
        let truncated = Int64(position)
        let reached = Double(truncated) > position ? truncated - 1 : truncated
        // Swing delays by half a step at most.
        var nearest = time.count(at: reached - 1)
        var least = distance(of: nearest, of: time, from: position)
        let last = time.count(at: reached + 2) + 1
        var candidate = nearest + 1
        while candidate <= last {
            let distance = distance(of: candidate, of: time, from: position)
            if distance <= least {
                nearest = candidate
                least = distance
            }
            candidate += 1
        }
        return nearest
    }

    /// How far from a song position a step of a track starts.
    @_noLocks @_noAllocation
    func distance(of count: Int64, of time: TrackTime, from position: Double) -> Double {
        let place = time.place(of: count)
        let difference = self.position(of: place.songStep, part: place.part) - position
        return difference < 0 ? -difference : difference
    }

    /// The place in the song at a song position.
    @_noLocks @_noAllocation
    public func place(at position: Double) -> SongPlace {
        // Swing only delays, by half a step at most.
        let truncated = Int64(position)
        var songStep = Double(truncated) > position ? truncated - 1 : truncated
        if self.position(of: songStep) > position { songStep -= 1 }
        let start = self.position(of: songStep)
        return SongPlace(
            songStep: songStep, part: (position - start) / (self.position(of: songStep + 1) - start))
    }
}
