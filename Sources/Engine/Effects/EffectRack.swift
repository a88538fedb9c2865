import Music

/// The effects that all tracks share, and how far each track makes way for the kick.
@safe
struct EffectRack: ~Copyable {
    /// How far each track is ducked.
    private let depths = FixedArray(count: trackCount) { _ in GainRamp(0) }
    private var reverb: Reverb
    private var delay: Delay
    private(set) var ducker: Ducker
    private var reverbReturn = StereoReturn()
    private var delayReturn = StereoReturn()
    private var reverbBus = SendBus()
    private var delayBus = SendBus()
    private var delaySteps = 1.0
    private var echoStep: EchoStep
    private var echoTimes = EchoTimes()
    private let fadeFrames: Int
    /// Drums do not make way for themselves.
    private let canDuck: PerTrack<Bool>

    init(sampleRate: Double) {
        reverb = Reverb(sampleRate: sampleRate)
        delay = Delay(sampleRate: sampleRate)
        ducker = Ducker(sampleRate: sampleRate)
        echoStep = EchoStep(sampleRate: sampleRate)
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        canDuck = PerTrack { Track.allCases[$0].isPitched }
    }

    /// Whether the output stays silent until there is input.
    var isSilent: Bool { reverb.isSilent && delay.isSilent }

    /// Whether nothing changes until there is input or a kick.
    var isResting: Bool { isSilent && !ducker.isHeard }

    /// Starts to move to new parameters.
    mutating func move(to parameters: borrowing LiveParameters) {
        for track in 0..<trackCount {
            let depth = canDuck[track] ? 1 - linearFactor(decibels: -parameters.of(track)[.duck]) : 0
            unsafe depths.elements[track].move(to: depth, frames: fadeFrames)
        }
        reverb.move(to: parameters[.reverbTime], frames: fadeFrames)
        reverbReturn.move(to: parameters[.reverbLevel], frames: fadeFrames)
        delaySteps = parameters[.delaySteps]
        delay.move(feedback: parameters[.delayFeedback], frames: fadeFrames)
        delayReturn.move(to: parameters[.delayLevel], frames: fadeFrames)
    }

    /// Fades the output for good.
    mutating func close() {
        reverbReturn.close(frames: fadeFrames)
        delayReturn.close(frames: fadeFrames)
    }

    /// Jumps to its targets.
    mutating func arrive() {
        beginAnew()
        reverbReturn.arrive()
        delayReturn.arrive()
    }

    /// Music starts, while no track sounds: ends what still changes about the tracks. Reverb and delay begin anew when
    /// they wake, and their output comes later than their levels' fades end.
    mutating func beginAnew() {
        for track in 0..<trackCount { unsafe depths.elements[track].arrive() }
        ducker.beginAnew()
    }

    /// The linear factor of a send in dB; the lowest, -60, sends nothing.
    static func send(_ decibels: Double) -> Float {
        decibels <= -60 ? 0 : linearFactor(decibels: decibels)
    }
}

// MARK: - One period

extension EffectRack {
    /// Begins a period.
    mutating func begin() {
        ducker.begin()
        echoTimes.begin()
        reverbBus.isFed = false
        delayBus.isFed = false
    }

    /// Advances through a part of the period.
    ///
    /// - Parameters:
    ///   - isKicked: Whether the kick was struck at the part's start.
    ///   - stepSeconds: How long a sixteenth lasts now.
    ///   - isOwn: Whether that is our own tempo, not a followed clock's.
    mutating func follow(isKicked: Bool, stepSeconds: Double, isOwn: Bool, offset: Int, count: Int) {
        let wait = echoStep.follow(stepSeconds, isOwn: isOwn, count: count) ?? 0
        echoTimes.move(to: delaySteps * echoStep.seconds, at: offset + wait)
        if isKicked { ducker.kick(offset: offset, stepSeconds: stepSeconds) }
        if isDucking { ducker.render(offset: offset, count: count) } else { ducker.skip(count) }
    }

    /// Whether any track makes way for the kick.
    private var isDucking: Bool {
        for track in 0..<trackCount where unsafe depths.elements[track].isOpen { return true }
        return false
    }

    /// Ducks a track under the kick.
    mutating func duck(_ samples: UnsafeMutablePointer<Float>, track: Int, count: Int) {
        guard ducker.isHeard, unsafe depths.elements[track].isOpen else { return }
        unsafe ducker.duck(samples, by: depths.elements[track], count: count)
    }

    /// Adds a track's sends to the buses.
    mutating func send(_ samples: UnsafeMutablePointer<Float>, reverb: GainLine, delay: GainLine, count: Int) {
        unsafe reverbBus.add(samples, reverb, count: count)
        unsafe delayBus.add(samples, delay, count: count)
    }

    /// Adds the effects' output to the mix and to their own ports, which hold silence.
    mutating func addReturns(_ ports: RtPorts, count: Int) {
        if reverbBus.isFed || !reverb.isSilent {
            let (left, right) = unsafe (ports.reverbLeft, ports.reverbRight)
            unsafe reverb.render(reverbBus.samples(count: count), left, right, count: count)
            unsafe reverbReturn.mix(left, right, ports, count: count)
        }
        guard delayBus.isFed || !delay.isSilent else { return delay.move(to: echoTimes.newest) }
        unsafe renderDelay(ports, count: count)
        unsafe delayReturn.mix(ports.delayLeft, ports.delayRight, ports, count: count)
    }

    /// Writes the delay's output to its ports; its time changes where it should.
    private mutating func renderDelay(_ ports: RtPorts, count: Int) {
        let (input, left, right) = unsafe (delayBus.samples(count: count), ports.delayLeft, ports.delayRight)
        delay.move(to: echoTimes.first)
        var done = 0
        for index in 0..<echoTimes.changeCount {
            let change = echoTimes.change(index)
            unsafe delay.render(input + done, left + done, right + done, count: change.offset - done)
            delay.move(to: change.seconds)
            done = change.offset
        }
        unsafe delay.render(input + done, left + done, right + done, count: count - done)
    }

    /// Advances by the frames of a period.
    mutating func advance(_ count: Int) {
        for track in 0..<trackCount { unsafe depths.elements[track].advance(count) }
        reverbReturn.advance(count)
        delayReturn.advance(count)
    }
}

/// Adds up the sends of all tracks to one effect during a period.
struct SendBus: ~Copyable {
    /// Whether anything was sent in the current period.
    var isFed = false
    private let memory = FixedArray<Float>(count: RtCycle.longest) { _ in 0 }

    /// Adds a track, unless it sends nothing.
    mutating func add(_ samples: UnsafeMutablePointer<Float>, _ send: GainLine, count: Int) {
        guard send.isOpen else { return }
        if !isFed { unsafe memory.elements.update(repeating: 0, count: count) }
        isFed = true
        var offset = 0
        while offset < count {
            let sends = send.values(offset: offset)
            let part = min(laneCount, count - offset)
            let sum = unsafe Lanes(memory.elements + offset, count: part) + Lanes(samples + offset, count: part) * sends
            unsafe sum.store(in: memory.elements + offset, count: part)
            offset += laneCount
        }
    }

    /// The sum for the current period.
    func samples(count: Int) -> UnsafePointer<Float> {
        if !isFed { unsafe memory.elements.update(repeating: 0, count: count) }
        return unsafe UnsafePointer(memory.elements)
    }
}

/// The level at which an effect's output goes to its own two ports and to the mix.
struct StereoReturn: BitwiseCopyable {
    private var level = GainRamp(1)
    private var isClosed = false

    /// Starts to move to a level in dB.
    mutating func move(to decibels: Double, frames: Int) {
        if !isClosed { level.move(to: linearFactor(decibels: decibels), frames: frames) }
    }

    /// Fades to silence, for good.
    mutating func close(frames: Int) {
        isClosed = true
        level.move(to: 0, frames: frames)
    }

    /// Jumps to its level.
    mutating func arrive() { level.arrive() }

    mutating func advance(_ count: Int) { level.advance(count) }

    /// Applies the level to an effect's two channels, and adds them to the mix.
    func mix(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ ports: RtPorts, count: Int
    ) {
        unsafe add(left, to: ports.mainLeft, count: count)
        unsafe add(right, to: ports.mainRight, count: count)
    }

    private func add(_ samples: UnsafeMutablePointer<Float>, to mix: UnsafeMutablePointer<Float>, count: Int) {
        var offset = 0
        while offset < count {
            let levels = level.values(offset: offset)
            let part = min(laneCount, count - offset)
            let wet = unsafe Lanes(samples + offset, count: part) * levels
            unsafe wet.store(in: samples + offset, count: part)
            unsafe (Lanes(mix + offset, count: part) + wet).store(in: mix + offset, count: part)
            offset += laneCount
        }
    }
}
