/// Four sines whose phases are modulated by other sines.
struct ModulatedLanes: ~Copyable {
    private(set) var owners = LaneOwners()
    private var phases = LaneBits.zero
    private var increments = LaneBits.zero
    private var modulatorPhases = LaneBits.zero
    private var modulatorIncrements = LaneBits.zero
    private var (bend, modulatorBend) = (Bend(), Bend())
    /// How far the phases are modulated, in half turns.
    private var indices = LaneSlide()
    var sway = SwayLanes()

    mutating func start(
        _ modulator: Modulator, increment: Double, phases: (UInt32, UInt32), softness: Double, _ setting: VoiceSetting,
        lane: Int
    ) {
        self.phases[lane] = phases.0
        modulatorPhases[lane] = phases.1
        bend.straight[lane] = UInt32(increment + 0.5)
        increments[lane] = bend.increment(lane)
        modulatorBend.straight[lane] = UInt32(increment * modulator.ratio + 0.5)
        modulatorIncrements[lane] = modulatorBend.increment(lane)
        let halfTurns = squareRoot(setting.tone) / .pi
        let way = (modulator.start - modulator.end) * brightness(modulator.normalFactor, softness: softness)
        indices.start(
            (modulator.end + way) * halfTurns, to: modulator.end * halfTurns,
            frames: modulator.seconds * setting.sampleRate, lane: lane)
        owners.insert(lane)
    }

    /// Multiplies all frequencies with a factor.
    mutating func bend(to factor: Double) {
        increments = bend.increments(factor)
        modulatorIncrements = modulatorBend.increments(factor)
    }

    /// Forgets the voices outside these lanes, one bit for each: they have ended, or play in another way.
    mutating func keep(only lanes: UInt8) { owners.keep(only: lanes) }

    /// Adds the voices to the output; returns what they added to the last frame.
    mutating func render(
        _ envelope: inout EnvelopeLanes, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) -> Lanes {
        self.indices.settle()
        var (phases, modulatorPhases, indices) = (self.phases, self.modulatorPhases, self.indices)
        var lanes = envelope.only(owners)
        let (increments, modulatorIncrements) = (self.increments, self.modulatorIncrements)
        var newest = Lanes.zero
        let sways = sway.moves(owners)
        var sway = self.sway
        for index in 0..<count {
            phases &+= increments
            modulatorPhases &+= modulatorIncrements
            let shift = indices.next() * sine(halfTurns: Lanes(bipolar: modulatorPhases))
            let place = (Lanes(bipolar: phases) + shift).wrapped
            newest = sine(halfTurns: place) * lanes.next()
            if sways { newest *= sway.next() }
            unsafe output[index] += newest
        }
        (self.phases, self.modulatorPhases, self.indices, self.sway) = (phases, modulatorPhases, indices, sway)
        envelope.goOn(owners, from: lanes)
        return newest
    }
}

extension SIMD4<Float> {
    /// Half turns without the whole turns: -1 to 1.
    fileprivate var wrapped: Lanes {
        @_transparent
        get {
            // A number added to 1.5 * 2^23 has no room for its fraction, and is rounded.
            let turns = (0.5 * self + 12_582_912) - 12_582_912
            return self - 2 * turns
        }
    }
}
