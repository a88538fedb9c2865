import Music

extension Mixer {
    /// Begins a period of the motions.
    mutating func beginMoving() {
        for track in 0..<trackCount where moved.contains(track) {
            moved.remove(track)
            for index in track * StripLevels.count..<(track + 1) * StripLevels.count {
                unsafe gains.elements[index].begin()
                if unsafe gains.elements[index].isMoving { moved.insert(track) }
            }
        }
    }

    /// Follows the tracks' motions through a part of the period.
    mutating func follow(_ sequencer: borrowing Sequencer, offset: Int, count: Int) {
        for track in 0..<trackCount {
            let motion = sequencer.motion(of: track)
            if motion == nil && !moved.contains(track) { continue }
            moved.insert(track)
            var done = 0
            // The end of a piece is the beginning of the next.
            var reached: StripLevels?
            while done < count {
                let frame = sequencer.frame + Int64(done)
                let passed = Int(truncatingIfNeeded: (frame - firstPiece) % Int64(StripGain.pieceLength))
                if passed == 0 {
                    let start = reached ?? levels(of: track, motion, sequencer, at: frame)
                    let end = levels(of: track, motion, sequencer, at: frame + Int64(StripGain.pieceLength))
                    for index in 0..<StripLevels.count {
                        unsafe gains.elements[track * StripLevels.count + index].turn(
                            from: start[index], to: end[index], offset: offset + done, fadeFrames: fadeFrames)
                    }
                    reached = end
                }
                let piece = min(StripGain.pieceLength - passed, count - done)
                for index in track * StripLevels.count..<(track + 1) * StripLevels.count {
                    unsafe gains.elements[index].render(offset: offset + done, count: piece)
                }
                done += piece
            }
        }
    }

    /// A motion's values at a frame.
    private func levels(
        of track: Int, _ motion: Motion?, _ sequencer: borrowing Sequencer, at frame: Int64
    ) -> StripLevels {
        guard let motion else { return StripLevels() }
        let count = sequencer.count(of: track, at: frame)
        return StripLevels(isSilent: silent.contains(track)) { motion.moves($0) ? motion.value($0, at: count) : nil }
    }
}

/// The levels to which the gains of a track move: its own, those of both sides, and those of its sends.
struct StripLevels: BitwiseCopyable {
    private var levels = SIMD8<Float>.zero
    /// One bit for each level that is set.
    private var bits: UInt8 = 0

    static var gain: Int { 0 }
    static var left: Int { 1 }
    static var right: Int { 2 }
    static var reverb: Int { 3 }
    static var delay: Int { 4 }
    static var count: Int { 5 }

    /// No levels.
    init() {}

    /// - Parameters:
    ///   - isSilent: Whether the track is muted, or another soloed.
    ///   - value: A parameter's value; nil to leave its levels out.
    init(isSilent: Bool, _ value: (Parameter) -> Double?) {
        if let gain = value(.gain) { set(Self.gain, to: isSilent ? 0 : linearFactor(decibels: gain)) }
        if let pan = value(.pan) {
            let (left, right) = Mixer.sides(of: pan)
            set(Self.left, to: left)
            set(Self.right, to: right)
        }
        if let reverb = value(.reverb) { set(Self.reverb, to: Mixer.send(reverb)) }
        if let delay = value(.delay) { set(Self.delay, to: Mixer.send(delay)) }
    }

    private mutating func set(_ index: Int, to level: Float) {
        levels[index] = level
        bits |= 1 << UInt8(truncatingIfNeeded: index)
    }

    subscript(index: Int) -> Float? { bits >> UInt8(truncatingIfNeeded: index) & 1 == 1 ? levels[index] : nil }
}
