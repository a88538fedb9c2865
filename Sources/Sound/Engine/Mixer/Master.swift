import Music

/// Finishes a mix: adds what reverb and delay return, makes it louder, and clips.
struct Master: ~Copyable {
    private let place = Pinned()
    private var reverb: Reverb
    private var delay: Delay
    private var reverbReturn = StereoReturn()
    private var delayReturn = StereoReturn()
    private var output: OutputStage
    private let fadeFrames: Int

    init(_ settings: MasterSettings, sampleRate: Double) {
        self.init(sampleRate: sampleRate)
        move(to: settings)
        reverbReturn.arrive()
        delayReturn.arrive()
        output.arrive()
    }

    private init(sampleRate: Double) {
        reverb = Reverb(sampleRate: sampleRate)
        delay = Delay(sampleRate: sampleRate)
        output = OutputStage(sampleRate: sampleRate)
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
    }

    /// Whether the output stays silent until there is input.
    var isSilent: Bool { reverb.isSilent && delay.isSilent && output.isSilent }

    /// Forgets all sound.
    mutating func reset() {
        reverb.rest()
        delay.rest()
        output.reset()
    }

    /// Starts to move to new settings.
    private mutating func move(to settings: MasterSettings) {
        reverb.move(
            to: settings.reverbTime, early: settings.reverbEarly, lowCut: settings.reverbLowCut, frames: fadeFrames)
        reverbReturn.move(to: settings.reverbLevel, frames: fadeFrames)
        delay.move(feedback: settings.delayFeedback, frames: fadeFrames)
        delayReturn.move(to: settings.delayLevel, frames: fadeFrames)
        output.move(to: settings.loudness, frames: fadeFrames)
    }

    /// Finishes the mix in the main ports; the effects' ports hold silence.
    mutating func finish(_ mix: inout Mix, _ ports: RtPorts) {
        if let settings = mix.settings { move(to: settings) }
        if mix.isLast { close() }
        if !mix.sounding.isEmpty || !isSilent {
            unsafe addReturns(&mix, ports)
            unsafe output.render(ports.mainLeft, ports.mainRight, count: mix.frameCount)
        }
        reverbReturn.advance(mix.frameCount)
        delayReturn.advance(mix.frameCount)
        output.advance(mix.frameCount)
    }

    /// Fades the effects' output for good.
    private mutating func close() {
        reverbReturn.close(frames: fadeFrames)
        delayReturn.close(frames: fadeFrames)
    }

    /// Adds the effects' output to the mix and to their own ports.
    private mutating func addReturns(_ mix: inout Mix, _ ports: RtPorts) {
        let count = mix.frameCount
        if mix.reverb.isFed || !reverb.isSilent {
            let (left, right) = unsafe (ports.reverbLeft, ports.reverbRight)
            unsafe reverb.render(mix.reverb.samples, left, right, count: count)
            unsafe reverbReturn.mix(left, right, ports, count: count)
        }
        guard mix.delay.isFed || !delay.isSilent else { return delay.move(to: mix.echoTimes.newest) }
        unsafe renderDelay(&mix, ports)
        unsafe delayReturn.mix(ports.delayLeft, ports.delayRight, ports, count: count)
    }

    /// Writes the delay's output to its ports; its time changes where it should.
    private mutating func renderDelay(_ mix: inout Mix, _ ports: RtPorts) {
        let input = unsafe mix.delay.samples
        let (left, right) = unsafe (ports.delayLeft, ports.delayRight)
        delay.move(to: mix.echoTimes.first)
        var done = 0
        for index in 0..<mix.echoTimes.changeCount {
            let change = mix.echoTimes.change(index)
            unsafe delay.render(input + done, left + done, right + done, count: change.offset - done)
            delay.move(to: change.seconds)
            done = change.offset
        }
        unsafe delay.render(input + done, left + done, right + done, count: mix.frameCount - done)
    }
}

extension Master {
    /// What is remembered while everything is silent, but for what follows from the score: effects that wake begin with
    /// their settings.
    struct Memory: BitwiseCopyable {
        var reverbReturn: StereoReturn
        var delayReturn: StereoReturn
        var output: OutputStage.Memory
    }

    var memory: Memory { Memory(reverbReturn: reverbReturn, delayReturn: delayReturn, output: output.memory) }

    mutating func restore(_ memory: Memory) {
        (reverbReturn, delayReturn) = (memory.reverbReturn, memory.delayReturn)
        output.restore(memory.output)
    }
}

/// The parameters of the ``Master``.
struct MasterSettings: BitwiseCopyable {
    /// In seconds.
    let reverbTime: Double
    /// In dB.
    let reverbLevel: Double
    /// 0 to 1.
    let reverbEarly: Double
    /// In Hz, 0 for none.
    let reverbLowCut: Double
    /// The amplitude of an echo relative to the one before it: 0 to 0.9.
    let delayFeedback: Double
    /// In dB.
    let delayLevel: Double
    /// In dB.
    let loudness: Double

    init(_ parameters: LiveParameters) {
        reverbTime = parameters[.reverbTime]
        reverbLevel = parameters[.reverbLevel]
        reverbEarly = parameters[.reverbEarly]
        reverbLowCut = parameters[.reverbLowCut]
        delayFeedback = parameters[.delayFeedback]
        delayLevel = parameters[.delayLevel]
        loudness = parameters[.loud]
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

/// A soft clipper without memory or delay. Samples below -3 dBFS pass unchanged; above, a hyperbola continues the line
/// with the same slope and approaches full scale.
enum Clipper {
    /// The level up to which nothing changes: -3 dBFS.
    static var threshold: Float { 0.707_945_76 }

    /// Clips samples in place.
    static func clip(_ buffer: UnsafeMutablePointer<Float>, count: Int) {
        var offset = 0
        while offset + laneCount <= count {
            unsafe clip(Lanes(buffer + offset, count: laneCount)).store(in: buffer + offset, count: laneCount)
            offset += laneCount
        }
        let rest = count - offset
        unsafe clip(Lanes(buffer + offset, count: rest)).store(in: buffer + offset, count: rest)
    }

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
