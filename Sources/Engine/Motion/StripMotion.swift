import Music

/// What motions make of one track's gains.
struct StripMotion: ~Copyable {
    var gain = MotionCurve()
    var left = MotionCurve()
    var right = MotionCurve()
    var reverb = MotionCurve()
    var delay = MotionCurve()
}

extension Mixer {
    /// Begins a period.
    mutating func begin() {
        effects.begin()
        for track in 0..<trackCount where moved.contains(track) {
            unsafe strips.elements[track].motion.gain.begin()
            unsafe strips.elements[track].motion.left.begin()
            unsafe strips.elements[track].motion.right.begin()
            unsafe strips.elements[track].motion.reverb.begin()
            unsafe strips.elements[track].motion.delay.begin()
            if !isMoving(track) { moved.remove(track) }
        }
    }

    /// Follows what moves of the tracks through a part of the period.
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
                let passed = Int(truncatingIfNeeded: frame % Int64(MotionCurve.pieceLength))
                if passed == 0 {
                    let start = reached ?? levels(of: track, motion, sequencer, at: frame)
                    let end = levels(of: track, motion, sequencer, at: frame + Int64(MotionCurve.pieceLength))
                    turn(track, motion, from: start, to: end, offset: offset + done)
                    reached = end
                }
                let piece = min(MotionCurve.pieceLength - passed, count - done)
                render(track, offset: offset + done, count: piece)
                done += piece
            }
        }
    }

    private func isMoving(_ track: Int) -> Bool {
        unsafe strips.elements[track].motion.gain.isUsed || strips.elements[track].motion.left.isUsed
            || strips.elements[track].motion.reverb.isUsed || strips.elements[track].motion.delay.isUsed
    }

    /// A motion's values at a frame.
    private func levels(
        of track: Int, _ motion: Motion?, _ sequencer: borrowing Sequencer, at frame: Int64
    ) -> StripLevels {
        guard let motion else { return StripLevels() }
        let isSilent = unsafe strips.elements[track].isSilent
        return StripLevels(motion, at: sequencer.count(of: track, at: frame), isSilent: isSilent)
    }

    /// Begins a piece of what moves of a track.
    private mutating func turn(
        _ track: Int, _ motion: Motion?, from start: StripLevels, to end: StripLevels, offset: Int
    ) {
        let (frames, sends) = (fadeFrames, effects.sends(of: track))
        let (gain, pan) = (motion?.moves(.gain) == true, motion?.moves(.pan) == true)
        let (reverb, delay) = (motion?.moves(.reverb) == true, motion?.moves(.delay) == true)
        unsafe strips.elements[track].motion.gain.turn(
            gain ? (start.gain, end.gain) : nil, over: strips.elements[track].gain, offset: offset,
            fadeFrames: frames)
        unsafe strips.elements[track].motion.left.turn(
            pan ? (start.left, end.left) : nil, over: strips.elements[track].left, offset: offset,
            fadeFrames: frames)
        unsafe strips.elements[track].motion.right.turn(
            pan ? (start.right, end.right) : nil, over: strips.elements[track].right, offset: offset,
            fadeFrames: frames)
        unsafe strips.elements[track].motion.reverb.turn(
            reverb ? (start.reverb, end.reverb) : nil, over: sends.reverb, offset: offset, fadeFrames: frames)
        unsafe strips.elements[track].motion.delay.turn(
            delay ? (start.delay, end.delay) : nil, over: sends.delay, offset: offset, fadeFrames: frames)
    }

    private mutating func render(_ track: Int, offset: Int, count: Int) {
        let sends = effects.sends(of: track)
        let (gain, left, right) = unsafe (
            strips.elements[track].gain, strips.elements[track].left, strips.elements[track].right
        )
        unsafe strips.elements[track].motion.gain.render(over: gain, offset: offset, count: count)
        unsafe strips.elements[track].motion.left.render(over: left, offset: offset, count: count)
        unsafe strips.elements[track].motion.right.render(over: right, offset: offset, count: count)
        unsafe strips.elements[track].motion.reverb.render(over: sends.reverb, offset: offset, count: count)
        unsafe strips.elements[track].motion.delay.render(over: sends.delay, offset: offset, count: count)
    }
}

/// A motion's values for the gains of a track at a frame; 0 for those that do not move.
private struct StripLevels: BitwiseCopyable {
    var (gain, left, right, reverb, delay): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)

    /// Nothing moves.
    init() {}

    /// - Parameters:
    ///   - count: Of the track's steps, with a fraction.
    ///   - isSilent: Whether the track is muted, or another one soloed.
    init(_ motion: Motion, at count: Double, isSilent: Bool) {
        if motion.moves(.gain), !isSilent { gain = linearFactor(decibels: motion.value(.gain, at: count)) }
        if motion.moves(.pan) { (left, right) = Mixer.sides(of: motion.value(.pan, at: count)) }
        if motion.moves(.reverb) { reverb = EffectRack.send(motion.value(.reverb, at: count)) }
        if motion.moves(.delay) { delay = EffectRack.send(motion.value(.delay, at: count)) }
    }
}
