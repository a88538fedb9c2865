import Music

/// Renders the strips stretch by stretch, and adds them up.
struct Mixer: ~Copyable {
    private let place = Pinned()
    private var ducker: Ducker
    private var grid = ControlGrid()
    private var rows = ControlRows()
    private var lfoClock = LFOClock()
    private var bends = PitchBends()
    private var parameters: LiveParameters?
    /// The tracks whose oscillator does anything.
    private var swinging = TrackSet()
    private var echoes: EchoClock
    private let fadeFrames: Int
    /// Drums do not make way for themselves.
    private let canDuck: PerTrack<Bool>

    init(sampleRate: Double) {
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        ducker = Ducker(sampleRate: sampleRate)
        echoes = EchoClock(sampleRate: sampleRate)
        canDuck = PerTrack { Track.allCases[$0].isPitched }
    }

    /// Whether nothing changes by itself: no kick fades, and no oscillator moves.
    var isResting: Bool { ducker.isResting && swinging.isEmpty }

    /// Ramps to the levels of a new score.
    ///
    /// - Parameter silent: The tracks that are muted, or not the soloed one.
    mutating func move(_ strips: borrowing FixedArray<Strip>, to parameters: LiveParameters, silent: TrackSet) {
        for track in 0..<trackCount {
            strips[track].move(
                to: parameters.of(track), isSilent: silent.contains(track), canDuck: canDuck[track], frames: fadeFrames)
        }
        echoes.steps = parameters[.delaySteps]
        self.parameters = parameters
    }

    /// Music starts at a frame, while no track sounds: ends all changes that are under way, so that the music sounds as
    /// from a new mixer.
    mutating func beginAnew(_ strips: borrowing FixedArray<Strip>, at frame: Int64) {
        grid.origin = frame
        for track in 0..<trackCount { strips[track].arrive() }
        ducker.beginAnew()
    }

    /// Begins a cycle.
    func begin(_ mix: inout Mix, frameCount: Int) { mix.begin(frameCount: frameCount, echoSeconds: echoes.seconds) }

    /// Advances kick and echoes to a part of the cycle.
    ///
    /// - Parameters:
    ///   - isKicked: Whether the kick was struck at the part's start.
    ///   - stepSeconds: How long a sixteenth lasts now.
    ///   - isOwn: Whether that is our own tempo, not a followed clock's.
    mutating func follow(
        isKicked: Bool, stepSeconds: Double, isOwn: Bool, _ mix: inout Mix, offset: Int, count: Int
    ) {
        echoes.follow(stepSeconds, isOwn: isOwn, &mix.echoTimes, offset: offset, count: count)
        if isKicked { ducker.kick(stepSeconds: stepSeconds) }
    }

    /// Renders a part of the cycle, in which nothing starts or ends: adds the tracks that sound to the main ports, which
    /// must hold silence, and to the sends.
    mutating func render(
        _ voices: inout VoiceSet, _ sequencer: borrowing Sequencer, _ ports: RtPorts, _ mix: inout Mix, offset: Int,
        count: Int
    ) {
        var done = 0
        while done < count {
            let part = min(count - done, Stretch.longest)
            let frame = sequencer.frame + Int64(done)
            anchorOscillators(before: frame + Int64(part), sequencer)
            let ducking = unsafe ducker.isResting ? nil : ducker.render(part, isWanted: isDucking(voices.strips))
            for track in 0..<trackCount {
                let samples = unsafe ports.track(track) + (offset + done)
                let stretch = unsafe Stretch(
                    mid: samples, side: voices.strips[track].side, ducking: ducking, frame: frame,
                    offset: offset + done, count: part, grid: grid)
                let source = source(of: track, sequencer.motion(of: track))
                bend(track, source, stretch, sequencer)
                let isHeard = voices.render(track, stretch, bends)
                follow(track, source, voices.strips, sequencer, at: frame, count: part, isHeard: isHeard)
                if isHeard {
                    mix.sounding.insert(track)
                    unsafe voices.strips[track].render(stretch, ports, &mix)
                }
                voices.strips[track].advance(part)
            }
            done += part
        }
    }

    /// Whether any track makes way for the kick.
    private func isDucking(_ strips: borrowing FixedArray<Strip>) -> Bool {
        for track in 0..<trackCount where strips[track].isDucking { return true }
        return false
    }

    /// Moves a track's pitch through a stretch.
    private mutating func bend(
        _ track: Int, _ source: ControlSource, _ stretch: Stretch, _ sequencer: borrowing Sequencer
    ) {
        guard source.bends else { return bends.rest(track) }
        bends.follow(track, source, stretch, sequencer, &lfoClock)
    }

    /// Follows a track's motion through a stretch.
    private mutating func follow(
        _ track: Int, _ source: ControlSource, _ strips: borrowing FixedArray<Strip>, _ sequencer: borrowing Sequencer,
        at frame: Int64, count: Int, isHeard: Bool
    ) {
        guard source.motion != nil || source.lfo != nil || strips[track].levels.isMoving else { return }
        strips[track].levels.begin(source)
        var done = 0
        // The next point of the grid was read with the one before.
        var isRead = false
        while done < count {
            let passed = grid.passed(at: frame + Int64(done))
            if passed == 0 {
                let point = frame + Int64(done)
                if !isRead {
                    rows.readHere(
                        source, at: sequencer.count(of: track, at: point), lfoClock.position(at: point, sequencer))
                }
                let next = point + Int64(ControlGrid.step)
                rows.readNext(
                    source, at: sequencer.count(of: track, at: next), lfoClock.position(at: next, sequencer))
                strips[track].levels.turn(rows, offset: done, fadeFrames: fadeFrames)
                rows.advance()
                isRead = true
            }
            let part = min(ControlGrid.step - passed, count - done)
            strips[track].levels.render(offset: done, count: part, isHeard: isHeard)
            done += part
        }
    }

    /// What moves a track's parameters.
    private mutating func source(of track: Int, _ motion: Motion?) -> ControlSource {
        guard let parameters else { return ControlSource(motion: motion, lfo: nil, parameters: nil) }
        let own = parameters.of(track)
        let isSwinging = own[.lfoDepth] > 0 || movesDepth(motion)
        if isSwinging { swinging.insert(track) } else { swinging.remove(track) }
        return ControlSource(motion: motion, lfo: isSwinging ? TrackLFO(track, parameters) : nil, parameters: own)
    }

    private func movesDepth(_ motion: Motion?) -> Bool {
        guard let motion else { return false }
        return motion.moves(.lfoDepth)
    }

    /// Notes the song's place at the last point of the control grid before a frame, from which oscillators go on when the
    /// music stops.
    private mutating func anchorOscillators(before frame: Int64, _ sequencer: borrowing Sequencer) {
        guard sequencer.transport.runs else { return }
        let last = frame - 1
        _ = lfoClock.position(at: last - Int64(grid.passed(at: last)), sequencer)
    }

    /// Reports the peaks of the tracks that sounded.
    func report(_ mix: borrowing Mix, _ strips: borrowing FixedArray<Strip>, to peaks: borrowing TrackPeaks) {
        for track in 0..<trackCount where mix.sounding.contains(track) {
            peaks.report(strips[track].fetchPeak(), track: track)
        }
    }
}

extension Mixer {
    /// What is remembered while everything is silent, but for what follows from the score.
    struct Memory: BitwiseCopyable {
        var ducker: Ducker.Memory
        var grid: ControlGrid
        var lfoClock: LFOClock
        var bends: PerTrack<Double>
        var swinging: TrackSet
        var echoes: EchoClock
    }

    var memory: Memory {
        Memory(
            ducker: ducker.memory, grid: grid, lfoClock: lfoClock, bends: bends.memory, swinging: swinging,
            echoes: echoes)
    }

    /// - Parameter parameters: Those that had been applied.
    mutating func restore(_ memory: Memory, _ parameters: LiveParameters) {
        ducker.restore(memory.ducker)
        (grid, lfoClock, swinging) = (memory.grid, memory.lfoClock, memory.swinging)
        bends.restore(memory.bends)
        echoes = memory.echoes
        self.parameters = parameters
    }
}
