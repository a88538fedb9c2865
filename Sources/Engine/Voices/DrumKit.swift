import Music

/// Room for one hit of every drum.
struct DrumSlot: ~Copyable {
    private var sines = DrumSineGroup()
    private var tables: DrumTableGroup
    private var noises: DrumNoiseGroup

    init(_ reader: TableReader, seed: UInt32, sampleRate: Double) {
        tables = DrumTableGroup(reader)
        noises = DrumNoiseGroup(seed: seed, sampleRate: sampleRate)
    }

    mutating func setFilter(_ coefficients: BiquadCoefficients, lane: Int) {
        noises.setFilter(coefficients, lane: lane)
    }

    @_noLocks @_noAllocation
    func isLive(_ partial: PreparedPartial) -> Bool {
        switch partial.source {
        case .sine: sines.envelopes.isLive(partial.lane)
        case .table: tables.envelopes.isLive(partial.lane)
        case .noise: noises.envelopes.isLive(partial.lane)
        }
    }

    @_noLocks @_noAllocation
    mutating func start(_ partial: PreparedPartial, level: Float, at frame: Int64) {
        let shape = partial.shape.scaled(by: level)
        switch partial.source {
        case .sine(let glide): sines.start(shape, glide, lane: partial.lane, at: frame)
        case .table(let base, let increment):
            tables.start(shape, base: base, increment: increment, lane: partial.lane, at: frame)
        case .noise: noises.start(shape, lane: partial.lane, at: frame)
        }
    }

    @_noLocks @_noAllocation
    mutating func fade(_ partial: PreparedPartial, frames: Int, at frame: Int64) {
        guard isLive(partial) else { return }
        switch partial.source {
        case .sine: sines.envelopes.fade(lane: partial.lane, frames: frames, at: frame)
        case .table: tables.envelopes.fade(lane: partial.lane, frames: frames, at: frame)
        case .noise: noises.envelopes.fade(lane: partial.lane, frames: frames, at: frame)
        }
    }

    @_noLocks @_noAllocation
    mutating func render(adding output: UnsafeMutablePointer<Float>, from frame: Int64, count: Int) {
        unsafe sines.render(adding: output, from: frame, count: count)
        unsafe tables.render(adding: output, from: frame, count: count)
        unsafe noises.render(adding: output, from: frame, count: count)
    }
}

/// All voices of the rhythm track. A drum that is hit anew takes another slot while its old hit fades.
struct DrumKit: ~Copyable {
    private var slots: InlineArray<4, DrumSlot>
    /// The partials of all drums, those of one drum side by side.
    private var partials: InlineArray<16, PreparedPartial>
    /// Where each drum's partials begin; the last entry is the end.
    private var firstPartials: InlineArray<13, Int>
    private let fadeFrames: Int

    init(_ reader: TableReader, sampleRate: Double) {
        slots = InlineArray { DrumSlot(reader, seed: UInt32(1 + 8 * $0), sampleRate: sampleRate) }
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        firstPartials = InlineArray(repeating: 0)

        var prepared: [PreparedPartial] = []
        var laneCounts = [0, 0, 0]
        for drum in Drum.allCases {
            firstPartials[drum.rawValue] = prepared.count
            for partial in drum.partials {
                let lane = laneCounts[partial.source.kind]
                laneCounts[partial.source.kind] += 1
                prepared.append(PreparedPartial(partial, lane: lane, sampleRate: sampleRate))
                guard case .noise(let kind, let frequency, let q) = partial.source else { continue }
                let filter = BiquadCoefficients(kind, frequency: frequency, q: q, sampleRate: sampleRate)
                for slot in slots.indices { slots[slot].setFilter(filter, lane: lane) }
            }
        }
        precondition(laneCounts.allSatisfy { $0 <= laneCount }, "each partial has a lane of its own")
        firstPartials[Drum.allCases.count] = prepared.count
        partials = InlineArray { prepared[$0] }
    }

    /// Hits a drum, 0 to 11; level 1 is an accent.
    @_noLocks @_noAllocation
    mutating func start(_ drum: Int, level: Float, at frame: Int64) {
        fade(drum, at: frame)
        if drum == closedHat { fade(openHat, at: frame) }
        let slot = freeSlot(for: drum)
        for index in firstPartials[drum]..<firstPartials[drum + 1] {
            slots[slot].start(partials[index], level: level, at: frame)
        }
    }

    /// Fades a drum's hits.
    @_noLocks @_noAllocation
    mutating func fade(_ drum: Int, at frame: Int64) {
        for slot in 0..<4 {
            for index in firstPartials[drum]..<firstPartials[drum + 1] {
                slots[slot].fade(partials[index], frames: fadeFrames, at: frame)
            }
        }
    }

    /// Fades all hits.
    @_noLocks @_noAllocation
    mutating func fadeAll(at frame: Int64) {
        for drum in 0..<12 { fade(drum, at: frame) }
    }

    /// Adds the hits to the output.
    @_noLocks @_noAllocation
    mutating func render(adding output: UnsafeMutablePointer<Float>, from frame: Int64, count: Int) {
        for slot in 0..<4 { unsafe slots[slot].render(adding: output, from: frame, count: count) }
    }

    /// The first slot in which the drum is silent; the last one when hits come faster than they fade.
    @_noLocks @_noAllocation
    private func freeSlot(for drum: Int) -> Int {
        for slot in 0..<3 {
            var isFree = true
            for index in firstPartials[drum]..<firstPartials[drum + 1] where slots[slot].isLive(partials[index]) {
                isFree = false
            }
            if isFree { return slot }
        }
        return 3
    }

    // `Drum` belongs to a module that promises nothing to the process callback.
    private var closedHat: Int {
        @_noLocks @_noAllocation get { 7 }
    }
    private var openHat: Int {
        @_noLocks @_noAllocation get { 8 }
    }
}

extension DrumPartial.Source {
    /// Numbers the kinds of groups.
    fileprivate var kind: Int {
        switch self {
        case .sine: 0
        case .table: 1
        case .noise: 2
        }
    }
}
