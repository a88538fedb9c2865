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
        for track in 0..<trackCount {
            unsafe strips.elements[track].motion.gain.begin()
            unsafe strips.elements[track].motion.left.begin()
            unsafe strips.elements[track].motion.right.begin()
            unsafe strips.elements[track].motion.reverb.begin()
            unsafe strips.elements[track].motion.delay.begin()
        }
    }

    /// Follows what moves of the tracks through a part of the period.
    mutating func follow(_ sequencer: borrowing Sequencer, offset: Int, count: Int) {
        for track in 0..<trackCount {
            let motion = sequencer.motion(of: track)
            if motion == nil && !isMoving(track) { continue }
            var done = 0
            // Where the track is at the end of a piece, that is at the beginning of the next.
            var reached: Double?
            while done < count {
                let frame = sequencer.frame + Int64(done)
                let passed = Int(truncatingIfNeeded: frame % Int64(MotionCurve.pieceLength))
                if passed == 0 {
                    let start = reached ?? sequencer.count(of: track, at: frame)
                    let end = sequencer.count(of: track, at: frame + Int64(MotionCurve.pieceLength))
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

    /// Begins a piece of what moves of a track, between two counts of its steps.
    private mutating func turn(_ track: Int, _ motion: Motion?, from start: Double, to end: Double, offset: Int) {
        func piece(_ parameter: Parameter, _ gain: (Double) -> Float) -> (from: Float, to: Float)? {
            guard let motion, motion.moves(parameter) else { return nil }
            return (gain(motion.value(parameter, at: start)), gain(motion.value(parameter, at: end)))
        }
        let (frames, sends) = (fadeFrames, effects.sends(of: track))
        let isSilent = unsafe strips.elements[track].isSilent
        unsafe strips.elements[track].motion.gain.turn(
            piece(.gain) { isSilent ? 0 : linearFactor(decibels: $0) }, over: strips.elements[track].gain,
            offset: offset, fadeFrames: frames)
        unsafe strips.elements[track].motion.left.turn(
            piece(.pan) { Mixer.sides(of: $0).left }, over: strips.elements[track].left, offset: offset,
            fadeFrames: frames)
        unsafe strips.elements[track].motion.right.turn(
            piece(.pan) { Mixer.sides(of: $0).right }, over: strips.elements[track].right, offset: offset,
            fadeFrames: frames)
        unsafe strips.elements[track].motion.reverb.turn(
            piece(.reverb, EffectRack.send), over: sends.reverb, offset: offset, fadeFrames: frames)
        unsafe strips.elements[track].motion.delay.turn(
            piece(.delay, EffectRack.send), over: sends.delay, offset: offset, fadeFrames: frames)
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
