/// What a track's notes are made of.
enum Oscillator: BitwiseCopyable {
    case sine
    /// A table, and where it begins.
    case table(TableReader, base: UInt32)
}

/// Four pitched voices: oscillator, low-pass, envelope.
struct PitchedGroup: ~Copyable {
    var envelopes = LaneEnvelopes()
    private var phases = LaneBits.zero
    private var increments = LaneBits.zero
    private var filter = LowPass.State()

    /// Starts a voice in a lane, at the beginning of its waveform.
    @_noLocks @_noAllocation
    mutating func start(_ shape: EnvelopeShape, increment: UInt32, lane: Int, at frame: Int64) {
        phases[lane] = 0
        increments[lane] = increment
        filter.reset(lane: lane)
        envelopes.start(shape, lane: lane, at: frame)
    }

    /// A group's state on its way through a stretch: a copy, which the compiler keeps in registers.
    struct Run: BitwiseCopyable {
        private var phases: LaneBits
        private var filter: LowPass.State
        private var values: Lanes
        private let increments: LaneBits
        private let factors: Lanes
        private let slopes: Lanes

        /// Takes a group's state.
        @_noLocks @_noAllocation @_transparent
        init(_ group: borrowing PitchedGroup) {
            (phases, filter, values) = (group.phases, group.filter, group.envelopes.values)
            (increments, factors, slopes) = (group.increments, group.envelopes.factors, group.envelopes.slopes)
        }

        /// Puts it back.
        @_noLocks @_noAllocation @_transparent
        func finish(_ group: inout PitchedGroup) {
            (group.phases, group.filter, group.envelopes.values) = (phases, filter, values)
        }

        /// The next frame of sines.
        @_noLocks @_noAllocation @_transparent
        mutating func nextSines(_ lowPass: LowPass) -> Lanes {
            phases &+= increments
            values = values * factors + slopes
            return lowPass.filter(sine(halfTurns: Lanes(bipolar: phases)), &filter) * values
        }

        /// The next frame of the tables that begin at the bases.
        @_noLocks @_noAllocation @_transparent
        mutating func next(_ reader: TableReader, _ bases: LaneBits, _ lowPass: LowPass) -> Lanes {
            phases &+= increments
            values = values * factors + slopes
            return lowPass.filter(reader.read(phases, bases), &filter) * values
        }
    }
}
