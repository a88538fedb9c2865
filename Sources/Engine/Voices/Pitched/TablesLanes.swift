/// Four voices of one or two oscillators through a low-pass that moves.
struct TablesLanes: ~Copyable {
    /// One of the oscillators.
    struct Part: BitwiseCopyable {
        private var oscillators = TableLanes()
        private var levels = Lanes.zero

        init() {}

        @_noLocks @_noAllocation
        mutating func start(_ part: PreparedTables.Part, increment: Double, lane: Int) {
            oscillators.start(
                base: part.base, phase: part.phase, increment: UInt32(increment * part.ratio + 0.5), lane: lane)
            levels[lane] = part.level
        }

        /// The next sample of each lane.
        @_noLocks @_noAllocation @_transparent
        mutating func next(_ reader: TableReader) -> Lanes { oscillators.next(reader) * levels }
    }

    var owners = LaneOwners()
    private var first = Part()
    private var second = Part()
    /// The lanes whose second oscillator is heard.
    private var pairs: UInt8 = 0
    private var filter = StateVariableLanes()

    init() {}

    /// Starts a voice in a lane.
    @_noLocks @_noAllocation
    mutating func start(_ note: PreparedTables, _ sweep: PreparedSweep, increment: Double, lane: Int) {
        first.start(note.first, increment: increment, lane: lane)
        second.start(note.second, increment: increment, lane: lane)
        let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: lane)
        pairs = note.hasSecond ? pairs | bit : pairs & ~bit
        filter.start(sweep.start, to: sweep.end, frames: sweep.frames, q: sweep.q, lane: lane)
        owners.insert(lane)
    }

    /// Adds the voices to the output; returns what they added to the last frame.
    @_noLocks @_noAllocation
    mutating func render(
        _ envelope: inout EnvelopeLanes, _ reader: TableReader, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) -> Lanes {
        filter.settle()
        return unsafe pairs & owners.bits == 0
            ? renderSingles(&envelope, reader, adding: output, count: count)
            : renderPairs(&envelope, reader, adding: output, count: count)
    }

    @_noLocks @_noAllocation
    private mutating func renderSingles(
        _ envelope: inout EnvelopeLanes, _ reader: TableReader, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) -> Lanes {
        var (first, filter, lanes) = (self.first, self.filter, envelope)
        let owners = self.owners
        var newest = Lanes.zero
        for index in 0..<count {
            newest = owners.only(filter.filter(first.next(reader)) * lanes.next())
            unsafe output[index] += newest
        }
        (self.first, self.filter, envelope) = (first, filter, lanes)
        return newest
    }

    @_noLocks @_noAllocation
    private mutating func renderPairs(
        _ envelope: inout EnvelopeLanes, _ reader: TableReader, adding output: UnsafeMutablePointer<Lanes>, count: Int
    ) -> Lanes {
        var (first, second, filter, lanes) = (self.first, self.second, self.filter, envelope)
        let owners = self.owners
        var newest = Lanes.zero
        for index in 0..<count {
            newest = owners.only(filter.filter(first.next(reader) + second.next(reader)) * lanes.next())
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
    @_noLocks @_noAllocation
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
