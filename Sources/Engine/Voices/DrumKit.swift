import Music

/// Room for one hit of every drum.
struct DrumSlot: ~Copyable {
    private var sines: InlineArray<2, DrumSineGroup>
    private var tables: DrumTableGroup
    private var noises: InlineArray<2, DrumNoiseGroup>

    init(_ reader: TableReader, seed: UInt32, sampleRate: Double) {
        sines = InlineArray { _ in DrumSineGroup() }
        tables = DrumTableGroup(reader)
        noises = InlineArray { DrumNoiseGroup(seed: seed + UInt32(laneCount * $0), sampleRate: sampleRate) }
    }

    /// How many partials of each kind there is room for.
    static let capacities = [2 * laneCount, laneCount, 2 * laneCount]

    mutating func setFilter(_ coefficients: BiquadCoefficients, of partial: PreparedPartial) {
        noises[partial.group].setFilter(coefficients, lane: partial.lane)
    }

    var isSilent: Bool {
        @_noLocks @_noAllocation
        get {
            tables.envelopes.live == 0 && sines[0].envelopes.live | sines[1].envelopes.live == 0
                && noises[0].envelopes.live | noises[1].envelopes.live == 0
        }
    }

    @_noLocks @_noAllocation
    func isLive(_ partial: borrowing PreparedPartial) -> Bool {
        switch partial.source {
        case .sine: sines[partial.group].envelopes.isLive(partial.lane)
        case .table: tables.envelopes.isLive(partial.lane)
        case .noise: noises[partial.group].envelopes.isLive(partial.lane)
        }
    }

    @_noLocks @_noAllocation
    mutating func start(_ partial: borrowing PreparedPartial, level: Float, at frame: Int64) {
        let shape = partial.shape.scaled(by: level)
        switch partial.source {
        case .sine(let glide): sines[partial.group].start(shape, glide, lane: partial.lane, at: frame)
        case .table(let base, let increment):
            tables.start(shape, base: base, increment: increment, lane: partial.lane, at: frame)
        case .noise: noises[partial.group].start(shape, lane: partial.lane, at: frame)
        }
    }

    @_noLocks @_noAllocation
    mutating func fade(_ partial: borrowing PreparedPartial, frames: Int, at frame: Int64) {
        guard isLive(partial) else { return }
        let (group, lane) = (partial.group, partial.lane)
        switch partial.source {
        case .sine: sines[group].envelopes.fade(lane: lane, frames: frames, at: frame)
        case .table: tables.envelopes.fade(lane: lane, frames: frames, at: frame)
        case .noise: noises[group].envelopes.fade(lane: lane, frames: frames, at: frame)
        }
    }

    @_noLocks @_noAllocation
    mutating func render(adding output: UnsafeMutablePointer<Float>, from frame: Int64, count: Int) {
        for group in 0..<2 { unsafe sines[group].render(adding: output, from: frame, count: count) }
        unsafe tables.render(adding: output, from: frame, count: count)
        for group in 0..<2 { unsafe noises[group].render(adding: output, from: frame, count: count) }
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
        var counts = [0, 0, 0]
        for drum in Drum.allCases {
            firstPartials[drum.rawValue] = prepared.count
            for partial in drum.partials {
                let ready = PreparedPartial(partial, index: counts[partial.source.kind], sampleRate: sampleRate)
                counts[partial.source.kind] += 1
                precondition(counts[partial.source.kind] <= DrumSlot.capacities[partial.source.kind])
                prepared.append(ready)
                guard case .noise(let kind, let frequency, let q) = partial.source else { continue }
                let filter = BiquadCoefficients(kind, frequency: frequency, q: q, sampleRate: sampleRate)
                for slot in slots.indices { slots[slot].setFilter(filter, of: ready) }
            }
        }
        firstPartials[Drum.allCases.count] = prepared.count
        partials = InlineArray { prepared[$0] }
    }

    /// Whether no hit sounds.
    var isSilent: Bool {
        @_noLocks @_noAllocation
        get {
            for slot in 0..<4 where !slots[slot].isSilent { return false }
            return true
        }
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
