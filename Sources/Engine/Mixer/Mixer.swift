import Music

/// Gains, pans, effects, clipper and meters.
struct Mixer: ~Copyable {
    private let place = Pinned()
    /// The channel strip of a track.
    struct Strip: ~Copyable {
        var gain = GainRamp(0)
        var left = GainRamp(0)
        var right = GainRamp(0)
        var isSilent = false
        var motion = StripMotion()
    }

    var strips = FixedArray(count: trackCount) { _ in Strip() }
    /// The tracks whose gains motions have, or had in this period.
    var moved = TrackSet()
    private(set) var fadeFrames: Int
    var effects: EffectRack

    init(_ parameters: borrowing LiveParameters, silent: TrackSet, sampleRate: Double) {
        fadeFrames = 1
        effects = EffectRack(sampleRate: sampleRate)
        move(to: parameters, silent: silent)
        arrive(sampleRate: sampleRate)
    }

    /// Fits another sample rate: gains, pans and sends jump to their targets, and the effects fall silent.
    mutating func prepare(_ parameters: borrowing LiveParameters, silent: TrackSet, sampleRate: Double) {
        self = Mixer(parameters, silent: silent, sampleRate: sampleRate)
    }

    private mutating func arrive(sampleRate: Double) {
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        for index in 0..<trackCount {
            unsafe strips.elements[index].gain.arrive()
            unsafe strips.elements[index].left.arrive()
            unsafe strips.elements[index].right.arrive()
        }
        effects.arrive()
    }

    /// Starts to move to the gains and pans of a new score.
    mutating func move(to parameters: borrowing LiveParameters, silent: TrackSet) {
        for index in 0..<trackCount {
            let track = parameters.of(index)
            unsafe strips.elements[index].isSilent = silent.contains(index)
            let gain = silent.contains(index) ? 0 : linearFactor(decibels: track[.gain])
            let (left, right) = Mixer.sides(of: track[.pan])
            unsafe strips.elements[index].gain.move(to: gain, frames: fadeFrames)
            unsafe strips.elements[index].left.move(to: left, frames: fadeFrames)
            unsafe strips.elements[index].right.move(to: right, frames: fadeFrames)
        }
        effects.move(to: parameters)
    }

    /// The gains of both sides at a pan from -1 to 1: of equal power, in the centre both 0.7071, -3 dB.
    static func sides(of pan: Double) -> (left: Float, right: Float) {
        let angle = (pan + 1) / 8
        return (Float(cosine(turns: angle)), Float(sine(turns: angle)))
    }

    /// Applies the gains to the buffers of the tracks that sound, adds them and the effects to the main buffers, which hold
    /// silence, and clips these; reports the peaks.
    mutating func mix(_ ports: RtPorts, count: Int, sounding: TrackSet, peaks: borrowing TrackPeaks) {
        for track in 0..<trackCount where sounding.contains(track) {
            unsafe effects.duck(ports.track(track), track: track, count: count)
            let peak = unsafe mix(strips.elements[track], ports.track(track), ports, count: count)
            peaks.report(peak, track: track)
            let sends = effects.sends(of: track)
            unsafe effects.send(
                ports.track(track), reverb: strips.elements[track].motion.reverb.line(over: sends.reverb),
                delay: strips.elements[track].motion.delay.line(over: sends.delay), count: count)
        }
        unsafe effects.addReturns(ports, count: count)
        unsafe clip(ports.mainLeft, count: count)
        unsafe clip(ports.mainRight, count: count)
        advance(count)
    }

    /// Lets frames pass in which nothing sounds.
    mutating func advance(_ count: Int) {
        for index in 0..<trackCount {
            unsafe strips.elements[index].gain.advance(count)
            unsafe strips.elements[index].left.advance(count)
            unsafe strips.elements[index].right.advance(count)
        }
        effects.advance(count)
    }

    /// Mixes one track; returns its peak.
    private func mix(
        _ strip: borrowing Strip, _ track: UnsafeMutablePointer<Float>, _ ports: RtPorts, count: Int
    ) -> Float {
        let (left, right) = unsafe (ports.mainLeft, ports.mainRight)
        let (gain, leftGain, rightGain) = (
            strip.motion.gain.line(over: strip.gain), strip.motion.left.line(over: strip.left),
            strip.motion.right.line(over: strip.right)
        )
        var highest = Lanes.zero
        var offset = 0
        while offset + laneCount <= count {
            let samples = unsafe mix(track, left, right, gain, leftGain, rightGain, offset: offset, count: laneCount)
            highest = highest.atLeast(samples.magnitude)
            offset += laneCount
        }
        if offset < count {
            let samples = unsafe mix(
                track, left, right, gain, leftGain, rightGain, offset: offset, count: count - offset)
            highest = highest.atLeast(samples.magnitude)
        }
        return highest.max()
    }

    /// Mixes up to four frames; returns the track's.
    @inline(__always)
    private func mix(
        _ track: UnsafeMutablePointer<Float>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ gain: GainLine, _ leftGain: GainLine, _ rightGain: GainLine, offset: Int, count: Int
    ) -> Lanes {
        let samples = unsafe Lanes(track + offset, count: count) * gain.values(offset: offset)
        let leftSum = unsafe Lanes(left + offset, count: count) + samples * leftGain.values(offset: offset)
        let rightSum = unsafe Lanes(right + offset, count: count) + samples * rightGain.values(offset: offset)
        unsafe samples.store(in: track + offset, count: count)
        unsafe leftSum.store(in: left + offset, count: count)
        unsafe rightSum.store(in: right + offset, count: count)
        return samples
    }

    private func clip(_ buffer: UnsafeMutablePointer<Float>, count: Int) {
        var offset = 0
        while offset + laneCount <= count {
            unsafe Clipper.clip(Lanes(buffer + offset, count: laneCount)).store(in: buffer + offset, count: laneCount)
            offset += laneCount
        }
        let rest = count - offset
        unsafe Clipper.clip(Lanes(buffer + offset, count: rest)).store(in: buffer + offset, count: rest)
    }
}

/// A soft clipper without memory or delay. Samples below -3 dBFS pass unchanged; above, a hyperbola continues the line
/// with the same slope and approaches full scale.
enum Clipper {
    /// Up to where nothing changes: -3 dBFS.
    static var threshold: Float { 0.707_945_76 }

    /// Clips four samples.
    @_transparent
    static func clip(_ samples: Lanes) -> Lanes {
        let room = 1 - threshold
        let level = samples.magnitude
        // t + r*u/(1+u) with u = (level-t)/r, in a form that rounding cannot lift above 1.
        let clipped = 1 - room * room / (level + (room - threshold))
        let signed = Lanes(bits: clipped.bits | (samples.bits & 0x8000_0000))
        return samples.replacing(with: signed, where: level .> threshold)
    }
}
