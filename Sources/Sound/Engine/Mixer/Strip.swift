import Music

/// A track's strip: what its voices' sum passes on its way into the mix.
struct Strip: ~Copyable {
    private let place = Pinned()
    private let track: Int
    private var highPass: DCBlocker
    private let hasHighPass: Bool
    private var duck: Duck
    var levels = StripLevels()
    /// The highest level since it was last taken.
    private var highest = Lanes.zero

    init(_ track: Int, sampleRate: Double) {
        self.track = track
        highPass = DCBlocker(sampleRate: sampleRate)
        hasHighPass = TrackLayout.all[track].blocksDirectCurrent
        duck = Duck(sampleRate: sampleRate)
    }

    /// Whether nothing is left inside: without input its output stays silent.
    var isResting: Bool { highPass.isResting }

    /// Forgets all sound. Levels go on moving.
    mutating func reset() {
        highPass.reset()
        duck.reset()
    }

    /// The chain, in its order. The stretch holds the sum of the voices.
    mutating func render(_ stretch: Stretch, _ ports: RtPorts, _ mix: inout Mix) {
        // Drive.
        if hasHighPass { highPass.render(stretch) }
        // Filter.
        if !duck.isResting { duck.render(stretch) }
        applyGain(stretch)
        // Punch-ins. After them the stretch holds what the track's port and the sends get.
        mix.reverb.add(stretch, levels.line(.reverb))
        mix.delay.add(stretch, levels.line(.delay))
        // Width and places.
        unsafe pan(stretch, into: ports)
    }

    /// Advances by frames, rendered or not.
    mutating func advance(_ count: Int) {
        levels.advance(count)
        duck.advance(count)
    }

    /// The highest level since the last call.
    mutating func fetchPeak() -> Float {
        defer { highest = .zero }
        return highest.max()
    }

    // MARK: Parameters

    /// Starts to move to other parameters.
    mutating func move(to parameters: TrackParameters, isSilent: Bool, canDuck: Bool, frames: Int) {
        levels.move(to: parameters, isSilent: isSilent, frames: frames)
        duck.move(to: canDuck ? parameters[.duck] : 0, frames: frames)
    }

    /// Ends all changes that are under way, while it rests.
    mutating func arrive() {
        levels.arrive()
        duck.arrive()
    }

    /// Whether it ever makes way for the kick.
    var isDucking: Bool { !duck.isResting }

    // MARK: Gain and pan

    private mutating func applyGain(_ stretch: Stretch) {
        let (samples, gain) = unsafe (stretch.mid, levels.line(.gain))
        let peak =
            if let gain = gain.constant {
                unsafe samples.multiply(count: stretch.count) { _ in Lanes(repeating: gain) }
            } else {
                unsafe samples.multiply(count: stretch.count) { gain.values(offset: $0) }
            }
        highest = highest.atLeast(peak)
    }

    private func pan(_ stretch: Stretch, into ports: RtPorts) {
        let (left, right) = unsafe (ports.mainLeft + stretch.offset, ports.mainRight + stretch.offset)
        unsafe left.add(stretch.mid, levels.line(.left), count: stretch.count)
        unsafe right.add(stretch.mid, levels.line(.right), count: stretch.count)
        guard unsafe ports.hasStems else { return }
        // Stems hold silence.
        unsafe (ports.stem(track, 0) + stretch.offset).add(stretch.mid, levels.line(.left), count: stretch.count)
        unsafe (ports.stem(track, 1) + stretch.offset).add(stretch.mid, levels.line(.right), count: stretch.count)
    }
}

extension UnsafeMutablePointer<Float> {
    /// Multiplies samples with gains; returns the highest levels.
    @inline(__always)
    fileprivate func multiply(count: Int, by gains: (_ offset: Int) -> Lanes) -> Lanes {
        var highest = Lanes.zero
        forEachLanes(count) { offset, part in
            let product = unsafe Lanes(self + offset, count: part) * gains(offset)
            unsafe product.store(in: self + offset, count: part)
            highest = highest.atLeast(product.magnitude)
        }
        return highest
    }

    /// Adds samples with a gain.
    func add(_ samples: UnsafeMutablePointer<Float>, _ gain: GainLine, count: Int) {
        if let gain = gain.constant {
            unsafe add(samples, count: count) { _ in Lanes(repeating: gain) }
        } else {
            unsafe add(samples, count: count) { gain.values(offset: $0) }
        }
    }

    @inline(__always)
    private func add(_ samples: UnsafeMutablePointer<Float>, count: Int, with gains: (_ offset: Int) -> Lanes) {
        forEachLanes(count) { offset, part in
            let product = unsafe Lanes(samples + offset, count: part) * gains(offset)
            unsafe (Lanes(self + offset, count: part) + product).store(in: self + offset, count: part)
        }
    }
}

/// Calls a function for each four frames, and for the rest, which is compiled apart: whole vectors need no loop.
@inline(__always)
private func forEachLanes(_ count: Int, _ body: (_ offset: Int, _ count: Int) -> Void) {
    var offset = 0
    while offset + laneCount <= count {
        body(offset, laneCount)
        offset += laneCount
    }
    if offset < count { body(offset, count - offset) }
}

/// How a track makes way for the kick.
struct Duck: StripPart {
    /// How deep it is ducked: 0 for not at all, 1 for silence.
    private var depth = GainRamp(0)

    init(sampleRate: Double) {}

    /// Keeps the depth, which is no sound.
    mutating func reset() {}

    var isResting: Bool { !depth.isOpen }

    /// Starts to move to a depth in dB.
    mutating func move(to decibels: Double, frames: Int) {
        depth.move(to: decibels == 0 ? 0 : 1 - linearFactor(decibels: -decibels), frames: frames)
    }

    mutating func arrive() { depth.arrive() }

    mutating func advance(_ count: Int) { depth.advance(count) }

    func render(_ stretch: Stretch) {
        guard let amounts = unsafe stretch.ducking else { return }
        var offset = 0
        while offset < stretch.count {
            let depths = depth.values(offset: offset)
            for lane in 0..<min(laneCount, stretch.count - offset) {
                unsafe stretch.mid[offset + lane] *= 1 - amounts[offset + lane] * depths[lane]
            }
            offset += laneCount
        }
    }
}
