import Music

/// The sequencer's own copy of a score's motions, and the motions that each track plays now.
struct MotionBoard: ~Copyable {
    /// The motions that the tracks play now, then the score's: of what plays, and of what is launched.
    private let motions: FixedArray<TrackMotions>
    /// The tracks on which anything moves now: usually none, and then nothing else has to be read.
    private var moving = TrackSet()

    init(_ score: Score) {
        precondition(
            MemoryLayout<Score>.offset(of: \.motions) == Score.motionsOffset, "motions follow launches")
        precondition(MemoryLayout<TrackMotions>.offset(of: \.values) == 0, "motions begin with their values")
        precondition(
            MemoryLayout<ScoreMotions>.size == 2 * trackCount * MemoryLayout<TrackMotions>.stride,
            "motions are one behind the other")
        precondition(
            Parameter.movable.indices.allSatisfy { TrackMotions.place(of: Parameter.movable[$0]) == $0 },
            "what may move by the table has a place")
        motions = FixedArray(count: 3 * trackCount) { index in
            (index < 2 * trackCount ? score.motions.playing : score.motions.launched)[index % trackCount]
        }
        for track in 0..<trackCount { updateMoving(track) }
    }

    /// Copies a score's motions, without playing them yet.
    mutating func apply(_ score: UnsafePointer<Score>) {
        let block = unsafe UnsafeRawPointer(score) + Score.motionsOffset
        let source = unsafe block.assumingMemoryBound(to: TrackMotions.self)
        for index in 0..<2 * trackCount { unsafe motions.elements[trackCount + index] = source[index] }
    }

    /// Plays the score's motions of a track, either of what plays or of what is launched.
    mutating func play(_ track: Int, isLaunched: Bool) {
        motions[track] = motions[(isLaunched ? 2 : 1) * trackCount + track]
        updateMoving(track)
    }

    /// Plays these motions on a track.
    mutating func play(_ track: Int, _ source: UnsafePointer<TrackMotions>) {
        unsafe motions.elements[track] = source.pointee
        updateMoving(track)
    }

    private mutating func updateMoving(_ track: Int) {
        if motions[track].moving != 0 { moving.insert(track) } else { moving.remove(track) }
    }

    /// A track's motion; nil if nothing moves.
    func motion(of track: Int) -> Motion? { unsafe moving.contains(track) ? Motion(motions.elements + track) : nil }
}

/// The motions of a track; valid until another score is applied, or another slot plays.
@safe
struct Motion: BitwiseCopyable {
    private let motions: UnsafePointer<TrackMotions>

    fileprivate init(_ motions: UnsafePointer<TrackMotions>) { unsafe self.motions = motions }

    func moves(_ parameter: Parameter) -> Bool {
        guard let place = TrackMotions.place(of: parameter) else { return false }
        return unsafe motions.pointee.moving >> UInt8(truncatingIfNeeded: place) & 1 == 1
    }

    /// The value of a moving parameter at a count of the track's steps, with a fraction.
    func value(_ parameter: Parameter, at count: Double) -> Double {
        guard let place = TrackMotions.place(of: parameter) else { return 0 }
        let length = unsafe Int(motions.pointee.length)
        let whole = floor(count)
        let rest = Int(truncatingIfNeeded: whole % Int64(length))
        let step = rest < 0 ? rest + length : rest
        let (from, to) = (value(place, step), value(place, step + 1 == length ? 0 : step + 1))
        return from + (count - Double(whole)) * (to - from)
    }

    private func value(_ place: Int, _ step: Int) -> Double {
        // Not through the array, as accessing it may copy all of it.
        let values = unsafe UnsafeRawPointer(motions).assumingMemoryBound(to: Float.self)
        return unsafe Double(values[place * stepCount + step])
    }
}
