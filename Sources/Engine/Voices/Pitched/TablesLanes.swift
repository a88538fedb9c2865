/// Four voices of one or two oscillators through a low-pass.
struct TablesLanes: ~Copyable {
    /// One of the oscillators.
    struct Part: BitwiseCopyable {
        private var oscillators = TableLanes()
        private var levels = Lanes.zero

        init() {}

        mutating func start(_ part: PreparedTables.Part, increment: Double, lane: Int) {
            oscillators.start(
                base: part.base, phase: part.phase, increment: UInt32(increment * part.ratio + 0.5), lane: lane)
            levels[lane] = part.level
        }

        /// The next sample of each lane.
        @_transparent
        mutating func next(_ reader: TableReader) -> Lanes { oscillators.next(reader) * levels }

        /// The same of lanes that are all sines.
        @_transparent
        mutating func nextSines() -> Lanes { oscillators.nextSines() * levels }
    }

    var owners = LaneOwners()
    private var first = Part()
    private var second = Part()
    /// The lanes whose second oscillator is heard.
    private var pairs: UInt8 = 0
    /// The lanes whose first one is a sine.
    private var sines: UInt8 = 0
    private var filter = StateVariableLanes()

    /// Starts a voice in a lane.
    mutating func start(_ note: PreparedTables, _ sweep: PreparedSweep, increment: Double, lane: Int) {
        first.start(note.first, increment: increment, lane: lane)
        second.start(note.second, increment: increment, lane: lane)
        let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: lane)
        pairs = note.hasSecond ? pairs | bit : pairs & ~bit
        sines = note.first.isSine ? sines | bit : sines & ~bit
        filter.start(sweep.start, to: sweep.end, frames: sweep.frames, q: sweep.q, lane: lane)
        owners.insert(lane)
    }

    /// Adds the voices to the output; returns what they added to the last frame.
    mutating func render(
        _ envelope: inout EnvelopeLanes, _ reader: TableReader, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) -> Lanes {
        filter.settle()
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

    /// Compiled for what it is called with, a loop for each kind of voices; on copies of the state, which stay in registers.
    @inline(__always)
    private mutating func run(
        _ envelope: inout EnvelopeLanes, _ reader: TableReader, _ output: UnsafeMutablePointer<Lanes>, _ count: Int,
        isSettled: Bool, hasPairs: Bool, isSine: Bool
    ) -> Lanes {
        var (first, second, filter, lanes) = (self.first, self.second, self.filter, envelope)
        let (owners, settled) = (self.owners, filter.present)
        var newest = Lanes.zero
        for index in 0..<count {
            var sample = isSine ? first.nextSines() : first.next(reader)
            if hasPairs { sample += second.next(reader) }
            let coefficients = isSettled ? settled : filter.next()
            newest = owners.only(filter.filter(sample, coefficients) * lanes.next())
            unsafe output[index] += newest
        }
        (self.first, self.second, self.filter, envelope) = (first, second, filter, lanes)
        return newest
    }
}

/// A low-pass's way for one note.
struct PreparedSweep: BitwiseCopyable {
    /// Turns a frame.
    let start: Double
    /// Turns a frame.
    let end: Double
    let frames: Double
    let q: Double

    /// - Parameters:
    ///   - pitch: Semitones above the track's lowest note.
    init(_ sweep: Sweep, pitch: Int, isNormal: Bool, _ setting: VoiceSetting) {
        let octaves = sweep.keyTracking * Double(pitch) / 12
        let factor = exponential(octaves * 0.693_147_180_559_945_3) * setting.tone / setting.sampleRate
        let way = (sweep.start - sweep.end) * (isNormal ? sweep.normalFactor : 1)
        start = min((sweep.end + way) * factor, 0.42)
        end = min(sweep.end * factor, 0.42)
        frames = sweep.seconds * setting.sampleRate
        q = sweep.q
    }
}
