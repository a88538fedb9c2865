import Music

/// A track's strip: what its voices' sum passes on its way into the mix.
struct Strip: ~Copyable {
    private let place = Pinned()
    private let track: Int
    private let isPitched: Bool
    private var input: StripInput
    private var drive: TrackDrive
    private var highPass: DCBlocker
    private var sideHighPass: DCBlocker
    private let hasHighPass: Bool
    private var filter: TrackFilter
    private var duck = Duck()
    private var width: TrackWidth
    /// When the input of punch-ins sounds. It decides when the width would have ended without them.
    private var widthInput: StripInput
    /// Whether punch-ins have changed the sound of the width since it was last off.
    private var isWidthPunched = false
    var punchIns: TrackPunchIns
    /// The factor of the width with each of the track's sounds.
    private let widthFactors: FixedArray<Float>
    private let sideSamples = FixedArray<Float>(count: Stretch.longest) { _ in 0 }
    private let scratch = FixedArray<Float>(count: Stretch.longest) { _ in 0 }
    /// The frame after the newest one that was rendered.
    private var end: Int64 = 0
    var levels = StripLevels()
    /// The highest level since it was last reported.
    private var highest = Lanes.zero

    /// - Parameter isPlayed: Whether it will ever be played.
    init(_ track: Int, sampleRate: Double, isPlayed: Bool = true) {
        self.track = track
        isPitched = Track.allCases[track].isPitched
        punchIns = TrackPunchIns(busCount: isPitched ? 1 : 2, sampleRate: isPlayed ? sampleRate : nil)
        input = StripInput(after: 0.005, sampleRate: sampleRate)
        drive = TrackDrive(track, sampleRate: sampleRate)
        highPass = DCBlocker(sampleRate: sampleRate)
        sideHighPass = DCBlocker(sampleRate: sampleRate)
        hasHighPass = TrackLayout.all[track].blocksDirectCurrent
        filter = TrackFilter(sampleRate: sampleRate)
        width = TrackWidth(sampleRate: sampleRate)
        widthInput = StripInput(after: TrackWidth.tail, sampleRate: sampleRate)
        widthFactors = FixedArray(TrackLayout.all[track].widthFactors)
    }

    /// Whether nothing is left inside: without input its output stays silent.
    var isResting: Bool {
        guard restsWithoutPunchIns else { return false }
        guard punchIns.isOn || isWidthPunched else { return true }
        return punchIns.isResting(by: end) && (!isWide || width.hasEnded(by: end))
    }

    /// Whether nothing would be left inside if there were no punch-ins.
    var restsWithoutPunchIns: Bool {
        guard highPass.isResting, sideHighPass.isResting, drive.isResting, filter.isResting else { return false }
        if isWide, !widthInput.hasEnded(by: end) { return false }
        return !(isWide || hasMovingParts) || input.hasEnded(by: end)
    }

    /// Whether it rests, and is as a new one: whatever is turned on now, its parts begin with the next sound, and punch-ins
    /// have none to repeat from a frame on.
    func isAsNew(at frame: Int64) -> Bool {
        guard isResting, punchIns.hasForgotten(by: frame) else { return false }
        return input.hasEnded(by: frame) && widthInput.hasEnded(by: frame) && width.hasEnded(by: frame)
    }

    /// Whether any part depends on when the track wakes.
    private var hasMovingParts: Bool { drive.isOn(levels.line(.drive)) || filter.isOn(levels.line(.filter)) }

    private var isWide: Bool { width.isOn(levels.line(.width)) }

    /// Where the voices put their side; nil while it is not heard.
    var side: UnsafeMutablePointer<Float>? {
        if isPitched { return nil }
        let isHeard =
            levels.line(.places).isOpen || !sideHighPass.isResting || drive.hasSide || filter.hasSide
        return unsafe isHeard ? sideSamples.elements : nil
    }

    /// Forgets all sound. Levels go on moving.
    mutating func reset() {
        input.reset()
        drive.reset()
        highPass.reset()
        sideHighPass.reset()
        filter.reset()
        resetWidth()
        punchIns.reset()
    }

    /// Music starts: forgets all sound, unless it is what punch-ins have left.
    mutating func beginAnew() {
        if isResting { return reset() }
        input.reset()
        drive.reset()
        highPass.reset()
        sideHighPass.reset()
        filter.reset()
        punchIns.forgetInput()
    }

    private mutating func resetWidth() {
        width.reset()
        widthInput.reset()
        isWidthPunched = false
    }

    /// The chain, in its order. The stretch holds the sum of the voices.
    mutating func render(_ stretch: Stretch, _ ports: RtPorts, _ mix: inout Mix) {
        input.read(stretch)
        scaleSide(stretch)
        var isDriven = drive.isOn(levels.line(.drive))
        if isDriven {
            unsafe drive.render(stretch, levels.line(.drive), input, scratch: scratch.elements)
            // It may just have ended, or have woken as one that is off.
            isDriven = drive.isOn(levels.line(.drive))
        }
        if hasHighPass || isDriven || !highPass.isResting { blockDirectCurrent(stretch) }
        if filter.isOn(levels.line(.filter)) {
            filter.render(stretch, levels.line(.filter), q: levels.line(.resonance), input)
        }
        if !duck.isResting { duck.render(stretch) }
        let peak = applyGain(stretch)
        // From here on the stretch holds what the track's port and the sends get.
        punchIns.remember(stretch)
        if punchIns.isOn {
            let played = punchIn(stretch)
            send(played, mix: &mix)
            unsafe spread(played, into: ports)
        } else {
            highest = highest.atLeast(peak)
            send(stretch, mix: &mix)
            unsafe spread(stretch, into: ports)
        }
        end = stretch.frame + Int64(stretch.count)
    }

    private mutating func send(_ stretch: Stretch, mix: inout Mix) {
        guard punchIns.isThrowing else {
            mix.reverb.add(stretch, levels.line(.reverb))
            return mix.delay.add(stretch, levels.line(.delay))
        }
        mix.reverb.add(stretch, punchIns.reverb(levels.line(.reverb), count: stretch.count))
        mix.delay.add(stretch, punchIns.delay(levels.line(.delay), count: stretch.count))
    }

    /// Lets punch-ins change a stretch.
    ///
    /// - Returns: The same stretch, which may have got a side.
    private mutating func punchIn(_ stretch: Stretch) -> Stretch {
        if isWide {
            widthInput.read(stretch)
            isWidthPunched = true
        }
        var played = stretch
        if unsafe stretch.side == nil, punchIns.hasSide {
            unsafe sideSamples.elements.update(repeating: 0, count: stretch.count)
            unsafe played.side = sideSamples.elements
        }
        punchIns.render(played)
        highest = highest.atLeast(unsafe played.mid.multiply(count: played.count) { _ in Lanes(repeating: 1) })
        return played
    }

    /// The drums' places, as far apart as the parameter says.
    private func scaleSide(_ stretch: Stretch) {
        guard let side = unsafe stretch.side else { return }
        let places = levels.line(.places)
        _ = unsafe side.multiply(count: stretch.count) { places.values(offset: $0) }
    }

    private mutating func blockDirectCurrent(_ stretch: Stretch) {
        unsafe highPass.render(stretch.mid, count: stretch.count)
        if let side = unsafe stretch.side { unsafe sideHighPass.render(side, count: stretch.count) }
    }

    /// Width and places, and pan into the mix.
    private mutating func spread(_ stretch: Stretch, into ports: RtPorts) {
        let amount = levels.line(.width)
        guard width.isOn(amount) else {
            resetWidth()
            if let side = unsafe stretch.side {
                unsafe panWide(stretch, side, into: ports) { _ in Lanes(repeating: 1) }
            } else {
                unsafe pan(stretch, into: ports)
            }
            return
        }
        if !punchIns.isOn { widthInput.read(stretch) }
        if unsafe stretch.side == nil { unsafe sideSamples.elements.update(repeating: 0, count: stretch.count) }
        unsafe width.render(stretch, sideSamples.elements, amount)
        unsafe panWide(stretch, sideSamples.elements, into: ports) { TrackWidth.norm(amount.values(offset: $0)) }
    }

    /// Advances by frames, rendered or not.
    mutating func advance(_ count: Int) {
        levels.advance(count)
        duck.advance(count)
        punchIns.advance(count)
    }

    /// The highest level since the last call.
    mutating func fetchPeak() -> Float {
        defer { highest = .zero }
        return highest.max()
    }

    // MARK: Parameters

    /// Starts to move to other parameters.
    mutating func move(to parameters: TrackParameters, isSilent: Bool, canDuck: Bool, frames: Int) {
        let sound = isPitched ? Int(parameters[.preset]) : 0
        levels.move(
            to: parameters, isSilent: isSilent, widthFactor: widthFactors[sound], frames: frames)
        duck.move(to: canDuck ? parameters[.duck] : 0, frames: frames)
        punchIns.mute(isSilent, frames: frames)
    }

    /// Ends all changes that are under way, while it rests.
    mutating func arrive() {
        levels.arrive()
        duck.arrive()
        punchIns.arrive()
    }

    /// Whether it ever makes way for the kick.
    var isDucking: Bool { !duck.isResting }

    // MARK: Gain and pan

    /// - Returns: The highest levels.
    private func applyGain(_ stretch: Stretch) -> Lanes {
        let (samples, gain) = unsafe (stretch.mid, levels.line(.gain))
        let peak =
            if let gain = gain.constant {
                unsafe samples.multiply(count: stretch.count) { _ in Lanes(repeating: gain) }
            } else {
                unsafe samples.multiply(count: stretch.count) { gain.values(offset: $0) }
            }
        if let side = unsafe stretch.side {
            _ = unsafe side.multiply(count: stretch.count) { gain.values(offset: $0) }
        }
        return peak
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

extension Strip {
    /// What is remembered while everything is silent.
    struct Memory: BitwiseCopyable {
        var levels: StripLevels.Memory
        var duck: Duck
        var punchIns: TrackPunchIns.Memory
    }

    func copy(into memory: inout Memory) {
        levels.copy(into: &memory.levels)
        (memory.duck, memory.punchIns) = (duck, punchIns.memory)
    }

    mutating func restore(_ memory: Memory) {
        levels.restore(memory.levels)
        duck = memory.duck
        punchIns.restore(memory.punchIns)
    }
}

extension Strip {
    /// Adds mid less side to the left, and mid with side to the right, each times a factor.
    @inline(__always)
    private func panWide(
        _ stretch: Stretch, _ side: UnsafeMutablePointer<Float>, into ports: RtPorts,
        times factors: (_ offset: Int) -> Lanes
    ) {
        let (left, right) = unsafe (ports.mainLeft + stretch.offset, ports.mainRight + stretch.offset)
        let (leftGain, rightGain) = (levels.line(.left), levels.line(.right))
        let stems =
            unsafe ports.hasStems
            ? (ports.stem(track, 0) + stretch.offset, ports.stem(track, 1) + stretch.offset) : nil
        forEachLanes(stretch.count) { offset, part in
            let factor = factors(offset)
            let (middle, difference) = unsafe (
                Lanes(stretch.mid + offset, count: part), Lanes(side + offset, count: part)
            )
            let first = (middle - difference) * factor * leftGain.values(offset: offset)
            let second = (middle + difference) * factor * rightGain.values(offset: offset)
            unsafe (Lanes(left + offset, count: part) + first).store(in: left + offset, count: part)
            unsafe (Lanes(right + offset, count: part) + second).store(in: right + offset, count: part)
            // Stems hold silence.
            if let stems = unsafe stems {
                unsafe first.store(in: stems.0 + offset, count: part)
                unsafe second.store(in: stems.1 + offset, count: part)
            }
        }
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

/// How a track makes way for the kick. Its depth is no sound: a reset keeps it.
struct Duck: BitwiseCopyable {
    /// How deep it is ducked: 0 for not at all, 1 for silence.
    private var depth = GainRamp(0)

    /// Whether it leaves the track as it is.
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
                let factor = unsafe 1 - amounts[offset + lane] * depths[lane]
                unsafe stretch.mid[offset + lane] *= factor
                if let side = unsafe stretch.side { unsafe side[offset + lane] *= factor }
            }
            offset += laneCount
        }
    }
}
