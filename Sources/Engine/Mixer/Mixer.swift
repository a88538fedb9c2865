import Music

/// Gains, pans, effects, clipper and meters.
struct Mixer: ~Copyable {
    private let place = Pinned()
    /// The gains of each track in turn, at the places of ``StripLevels``.
    let gains = FixedArray(count: trackCount * StripLevels.count) { _ in StripGain() }
    /// The tracks whose gains motions control, or did in this period.
    var moved = TrackSet()
    /// The tracks that are muted, or not the soloed one.
    private(set) var silent = TrackSet()
    let fadeFrames: Int
    /// The frame from which the pieces of motions are counted: that of the last start from silence.
    private(set) var firstPiece: Int64 = 0
    var effects: EffectRack

    init(_ parameters: borrowing LiveParameters, silent: TrackSet, sampleRate: Double) {
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        effects = EffectRack(sampleRate: sampleRate)
        move(to: parameters, silent: silent)
        beginAnew(at: 0)
        effects.arrive()
    }

    /// Music starts at a frame, while no track sounds: ends all changes that are under way, so that the music sounds as
    /// from a new mixer.
    mutating func beginAnew(at frame: Int64) {
        firstPiece = frame
        for index in 0..<trackCount * StripLevels.count { unsafe gains.elements[index].beginAnew() }
        effects.beginAnew()
    }

    /// Ramps to the gains, pans and sends of a new score.
    mutating func move(to parameters: borrowing LiveParameters, silent: TrackSet) {
        self.silent = silent
        for track in 0..<trackCount {
            let values = parameters.of(track)
            let levels = StripLevels(isSilent: silent.contains(track)) { values[$0] }
            for index in 0..<StripLevels.count {
                guard let level = levels[index] else { continue }
                unsafe gains.elements[track * StripLevels.count + index].ramp.move(to: level, frames: fadeFrames)
            }
        }
        effects.move(to: parameters)
    }

    /// The gains of both sides at a pan from -1 to 1, with equal power: in the centre both are 0.7071, -3 dB.
    static func sides(of pan: Double) -> (left: Float, right: Float) {
        let angle = (pan + 1) / 8
        return (Float(cosine(turns: angle)), Float(sine(turns: angle)))
    }

    /// Applies the gains to the buffers of the tracks that sound, adds them and the effects to the main buffers, which
    /// must hold silence, and clips these; reports the peaks.
    mutating func mix(_ ports: RtPorts, count: Int, sounding: TrackSet, peaks: borrowing TrackPeaks) {
        for track in 0..<trackCount where sounding.contains(track) {
            unsafe effects.duck(ports.track(track), track: track, count: count)
            let strip = unsafe gains.elements + track * StripLevels.count
            let peak = unsafe mix(
                ports.track(track), ports, gain: strip[StripLevels.gain].line, left: strip[StripLevels.left].line,
                right: strip[StripLevels.right].line, count: count)
            peaks.report(peak, track: track)
            unsafe effects.send(
                ports.track(track), reverb: strip[StripLevels.reverb].line, delay: strip[StripLevels.delay].line,
                count: count)
        }
        unsafe effects.addReturns(ports, count: count)
        unsafe clip(ports.mainLeft, count: count)
        unsafe clip(ports.mainRight, count: count)
        advance(count)
    }

    /// Advances by frames in which nothing sounds.
    mutating func advance(_ count: Int) {
        for index in 0..<trackCount * StripLevels.count { unsafe gains.elements[index].ramp.advance(count) }
        effects.advance(count)
    }

    /// Mixes one track; returns its peak.
    private func mix(
        _ track: UnsafeMutablePointer<Float>, _ ports: RtPorts, gain: GainLine, left leftGain: GainLine,
        right rightGain: GainLine, count: Int
    ) -> Float {
        let (left, right) = unsafe (ports.mainLeft, ports.mainRight)
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
    /// The level up to which nothing changes: -3 dBFS.
    static var threshold: Float { 0.707_945_76 }

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
