import Music

/// Ducks the tracks, applies their gains and pans, and adds them up.
struct Mixer: ~Copyable {
    private let place = Pinned()
    /// The gains of each track in turn, at the places of ``StripLevels``.
    let gains = FixedArray(count: trackCount * StripLevels.count) { _ in StripGain() }
    /// How far each track is ducked.
    private let depths = FixedArray(count: trackCount) { _ in GainRamp(0) }
    private var ducker: Ducker
    /// Drums do not make way for themselves.
    private let canDuck: PerTrack<Bool>
    /// The tracks whose gains motions control, or did in this period.
    var moved = TrackSet()
    /// The tracks that are muted, or not the soloed one.
    private(set) var silent = TrackSet()
    let fadeFrames: Int
    /// The frame from which the pieces of motions are counted: that of the last start from silence.
    private(set) var firstPiece: Int64 = 0
    private var echoes: EchoClock

    init(_ parameters: borrowing LiveParameters, silent: TrackSet, sampleRate: Double) {
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        ducker = Ducker(sampleRate: sampleRate)
        canDuck = PerTrack { Track.allCases[$0].isPitched }
        echoes = EchoClock(sampleRate: sampleRate)
        move(to: parameters, silent: silent)
        beginAnew(at: 0)
    }

    /// Whether nothing changes until there is input or a kick.
    var isResting: Bool { !ducker.isHeard }

    /// Music starts at a frame, while no track sounds: ends all changes that are under way, so that the music sounds as
    /// from a new mixer.
    mutating func beginAnew(at frame: Int64) {
        firstPiece = frame
        for index in 0..<trackCount * StripLevels.count { unsafe gains.elements[index].beginAnew() }
        for track in 0..<trackCount { unsafe depths.elements[track].arrive() }
        ducker.beginAnew()
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
            let depth = canDuck[track] ? 1 - linearFactor(decibels: -values[.duck]) : 0
            unsafe depths.elements[track].move(to: depth, frames: fadeFrames)
        }
        echoes.steps = parameters[.delaySteps]
    }

    /// The gains of both sides at a pan from -1 to 1, with equal power: in the centre both are 0.7071, -3 dB.
    static func sides(of pan: Double) -> (left: Float, right: Float) {
        let angle = (pan + 1) / 8
        return (Float(cosine(turns: angle)), Float(sine(turns: angle)))
    }

    /// The linear factor of a send in dB; the lowest, -60, sends nothing.
    static func send(_ decibels: Double) -> Float {
        decibels <= -60 ? 0 : linearFactor(decibels: decibels)
    }

    /// Begins a period.
    mutating func begin(_ mix: inout Mix, frameCount: Int) {
        mix.begin(frameCount: frameCount, echoSeconds: echoes.seconds)
        ducker.begin()
        beginMoving()
    }

    /// Advances kick and echoes through a part of the period.
    ///
    /// - Parameters:
    ///   - isKicked: Whether the kick was struck at the part's start.
    ///   - stepSeconds: How long a sixteenth lasts now.
    ///   - isOwn: Whether that is our own tempo, not a followed clock's.
    mutating func follow(
        isKicked: Bool, stepSeconds: Double, isOwn: Bool, _ mix: inout Mix, offset: Int, count: Int
    ) {
        echoes.follow(stepSeconds, isOwn: isOwn, &mix.echoTimes, offset: offset, count: count)
        if isKicked { ducker.kick(offset: offset, stepSeconds: stepSeconds) }
        if isDucking { ducker.render(offset: offset, count: count) } else { ducker.skip(count) }
    }

    /// Whether any track makes way for the kick.
    private var isDucking: Bool {
        for track in 0..<trackCount where unsafe depths.elements[track].isOpen { return true }
        return false
    }

    /// Applies the gains to the buffers of the tracks that sound, and adds them to the main buffers, which must hold
    /// silence, and to the sends; reports the peaks.
    mutating func mix(_ ports: RtPorts, _ mix: inout Mix, sounding: TrackSet, peaks: borrowing TrackPeaks) {
        let count = mix.frameCount
        mix.sounding = sounding
        for track in 0..<trackCount where sounding.contains(track) {
            unsafe duck(ports.track(track), track: track, count: count)
            let strip = unsafe gains.elements + track * StripLevels.count
            let peak = unsafe self.mix(
                ports.track(track), ports, gain: strip[StripLevels.gain].line, left: strip[StripLevels.left].line,
                right: strip[StripLevels.right].line, count: count)
            peaks.report(peak, track: track)
            unsafe mix.reverb.add(ports.track(track), strip[StripLevels.reverb].line, count: count)
            unsafe mix.delay.add(ports.track(track), strip[StripLevels.delay].line, count: count)
        }
        for index in 0..<trackCount * StripLevels.count { unsafe gains.elements[index].ramp.advance(count) }
        for track in 0..<trackCount { unsafe depths.elements[track].advance(count) }
    }

    /// Ducks a track under the kick.
    private func duck(_ samples: UnsafeMutablePointer<Float>, track: Int, count: Int) {
        guard ducker.isHeard, unsafe depths.elements[track].isOpen else { return }
        unsafe ducker.duck(samples, by: depths.elements[track], count: count)
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
}
