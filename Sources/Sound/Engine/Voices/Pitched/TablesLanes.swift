/// Four voices of one or two oscillators through a low-pass.
struct TablesLanes: ~Copyable {
    /// One of the oscillators.
    struct Part: BitwiseCopyable {
        private var oscillators = TableLanes()
        private var levels = Lanes.zero

        init() {}

        mutating func start(_ part: PreparedTables.Part, increment: Double, phase: UInt32, lane: Int) {
            oscillators.start(
                base: part.base, phase: part.phase &+ phase, increment: UInt32(increment * part.ratio + 0.5), lane: lane
            )
            // The filter makes it twice as loud.
            levels[lane] = 0.5 * part.level
        }

        mutating func bend(to factor: Double) { oscillators.bend(to: factor) }

        @_transparent
        mutating func next(_ reader: TableReader) -> Lanes { oscillators.next(reader) * levels }

        /// The next sample of lanes that are all sines.
        @_transparent
        mutating func nextSines() -> Lanes { oscillators.nextSines() * levels }
    }

    private(set) var owners = LaneOwners()
    private var first = Part()
    private var second = Part()
    /// The lanes with a second oscillator.
    private var pairs: UInt8 = 0
    /// The lanes whose first oscillator is a sine.
    private var sines: UInt8 = 0
    private var filter = StateVariableLanes()
    var sway = SwayLanes()

    mutating func start(
        _ note: PreparedTables, _ sweep: PreparedSweep, increment: Double, phases: (UInt32, UInt32), lane: Int
    ) {
        first.start(note.first, increment: increment, phase: phases.0, lane: lane)
        second.start(note.second, increment: increment, phase: phases.1, lane: lane)
        let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: lane)
        pairs = note.hasSecond ? pairs | bit : pairs & ~bit
        sines = note.first.isSine ? sines | bit : sines & ~bit
        filter.start(sweep.start, to: sweep.end, frames: sweep.frames, q: sweep.q, lane: lane)
        owners.insert(lane)
    }

    /// Multiplies all frequencies with a factor.
    mutating func bend(to factor: Double) {
        first.bend(to: factor)
        second.bend(to: factor)
    }

    /// Forgets the voices outside these lanes, one bit for each: they have ended, or play in another way.
    mutating func keep(only lanes: UInt8) {
        let ended = owners.bits & ~lanes
        guard ended != 0 else { return }
        owners.keep(only: lanes)
        for lane in 0..<laneCount where !owners.contains(lane) { filter.stop(lane) }
    }

    /// Adds the voices to the output; returns what they added to the last frame.
    mutating func render(
        _ envelope: inout EnvelopeLanes, _ reader: TableReader, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) -> Lanes {
        filter.settle()
        if sway.moves(owners) {
            return unsafe run(
                &envelope, reader, output, count, isSettled: false, hasPairs: true, isSine: false, sways: true)
        }
        let (isSettled, hasPairs, isSine) = (filter.isSettled, pairs & owners.bits != 0, ~sines & owners.bits == 0)
        return switch (isSettled, hasPairs, isSine) {
        case (true, false, true):
            unsafe run(&envelope, reader, output, count, isSettled: true, hasPairs: false, isSine: true)
        case (true, false, false):
            unsafe run(&envelope, reader, output, count, isSettled: true, hasPairs: false, isSine: false)
        case (true, true, _):
            unsafe run(&envelope, reader, output, count, isSettled: true, hasPairs: true, isSine: false)
        case (false, false, _):
            unsafe run(&envelope, reader, output, count, isSettled: false, hasPairs: false, isSine: false)
        case (false, true, _):
            unsafe run(&envelope, reader, output, count, isSettled: false, hasPairs: true, isSine: false)
        }
    }

    /// Inlined, so that each kind of voice gets its own loop, on copies of the state that stay in registers.
    @inline(__always)
    private mutating func run(
        _ envelope: inout EnvelopeLanes, _ reader: TableReader, _ output: UnsafeMutablePointer<Lanes>, _ count: Int,
        isSettled: Bool, hasPairs: Bool, isSine: Bool, sways: Bool = false
    ) -> Lanes {
        var (first, second, filter, lanes) = (self.first, self.second, self.filter, envelope.only(owners))
        var sway = self.sway
        let settled = filter.present
        var newest = Lanes.zero
        for index in 0..<count {
            var sample = isSine ? first.nextSines() : first.next(reader)
            if hasPairs { sample += second.next(reader) }
            let coefficients = isSettled ? settled : filter.next()
            newest = filter.filter(sample, coefficients) * lanes.next()
            if sways { newest *= sway.next() }
            unsafe output[index] += newest
        }
        (self.first, self.second, self.filter, self.sway) = (first, second, filter, sway)
        envelope.goOn(owners, from: lanes)
        return newest
    }
}

/// A low-pass's sweep for one note, as the tangents of its frequencies.
struct PreparedSweep: BitwiseCopyable {
    var start = 0.0
    var end = 0.0
    var frames = 0.0
    var q = 1.0

    /// No sweep.
    init() {}

    /// - Parameters:
    ///   - pitch: Semitones above the track's lowest note.
    init(_ sweep: Sweep, pitch: Int, softness: Double, _ setting: VoiceSetting) {
        let octaves = sweep.keyTracking * Double(pitch) / 12
        let factor = exponential(octaves * 0.693_147_180_559_945_3) * setting.tone / setting.sampleRate
        let way = (sweep.start - sweep.end) * brightness(sweep.normalFactor, softness: softness)
        let (first, last) = (min((sweep.end + way) * factor, 0.42), min(sweep.end * factor, 0.42))
        end = StateVariableLanes.tangent(last)
        start = first == last ? end : StateVariableLanes.tangent(first)
        frames = sweep.seconds * setting.sampleRate
        q = sweep.q
    }
}

/// The sweep of a preset's low-pass. The newest sweep and its inputs are cached because the notes of a chord are mostly
/// alike.
struct NoteSweep: BitwiseCopyable {
    private var newest = PreparedSweep()
    /// Semitones above the track's lowest note, -1 for none.
    private var pitch = -1
    private var softness = 0.0

    /// Clears the cache, when the preset or the parameters change.
    mutating func forget() { pitch = -1 }

    /// The sweep for a note.
    mutating func sweep(_ sweep: Sweep, pitch: Int, softness: Double, _ setting: VoiceSetting) -> PreparedSweep {
        let pitch = sweep.keyTracking == 0 ? 0 : pitch
        if pitch != self.pitch || softness != self.softness {
            newest = PreparedSweep(sweep, pitch: pitch, softness: softness, setting)
            (self.pitch, self.softness) = (pitch, softness)
        }
        return newest
    }
}

/// How much of its way a filter or a modulator starts with: all in accents, a factor of it in normal notes.
func brightness(_ normalFactor: Double, softness: Double) -> Double {
    switch softness {
    case 0: 1
    case 1: normalFactor
    default: normalFactor == 1 ? 1 : exponential(softness * logarithm(normalFactor))
    }
}
