import Music

/// Room for one hit of every drum.
struct DrumSlot: ~Copyable {
    private var sines: Storage<DrumSineGroup>
    private var tables: DrumTableGroup
    private var noises: Storage<DrumNoiseGroup>

    init(_ reader: TableReader, seed: UInt32, sampleRate: Double) {
        sines = Storage(count: 2) { _ in DrumSineGroup() }
        tables = DrumTableGroup(reader)
        noises = Storage(count: 2) {
            DrumNoiseGroup(seed: seed + UInt32(laneCount * $0), sampleRate: sampleRate)
        }
    }

    /// How many partials of each kind there is room for.
    static let capacities = [2 * laneCount, laneCount, 2 * laneCount]

    mutating func setFilter(_ coefficients: BiquadCoefficients, group: Int, lane: Int) {
        unsafe noises.elements[group].setFilter(coefficients, lane: lane)
    }

    var isSilent: Bool {
        @_noLocks @_noAllocation
        get {
            unsafe tables.envelopes.live == 0
                && sines.elements[0].envelopes.live | sines.elements[1].envelopes.live == 0
                && noises.elements[0].envelopes.live | noises.elements[1].envelopes.live == 0
        }
    }

    @_noLocks @_noAllocation
    func isLive(_ partial: borrowing PreparedPartial) -> Bool {
        switch partial.source {
        case .sine: unsafe sines.elements[partial.group].envelopes.isLive(partial.lane)
        case .table: tables.envelopes.isLive(partial.lane)
        case .noise: unsafe noises.elements[partial.group].envelopes.isLive(partial.lane)
        }
    }

    @_noLocks @_noAllocation
    mutating func start(_ partial: borrowing PreparedPartial, level: Float, at frame: Int64) {
        let shape = partial.shape.scaled(by: level)
        switch partial.source {
        case .sine(let glide): unsafe sines.elements[partial.group].start(shape, glide, lane: partial.lane, at: frame)
        case .table(let base, let increment):
            tables.start(shape, base: base, increment: increment, lane: partial.lane, at: frame)
        case .noise: unsafe noises.elements[partial.group].start(shape, lane: partial.lane, at: frame)
        }
    }

    @_noLocks @_noAllocation
    mutating func fade(_ partial: borrowing PreparedPartial, frames: Int, at frame: Int64) {
        guard isLive(partial) else { return }
        let (group, lane) = (partial.group, partial.lane)
        switch partial.source {
        case .sine: unsafe sines.elements[group].envelopes.fade(lane: lane, frames: frames, at: frame)
        case .table: tables.envelopes.fade(lane: lane, frames: frames, at: frame)
        case .noise: unsafe noises.elements[group].envelopes.fade(lane: lane, frames: frames, at: frame)
        }
    }

    @_noLocks @_noAllocation
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        for group in 0..<2 { unsafe sines.elements[group].render(adding: output, from: frame, count: count) }
        unsafe tables.render(adding: output, from: frame, count: count)
        for group in 0..<2 { unsafe noises.elements[group].render(adding: output, from: frame, count: count) }
    }
}

/// All voices of the rhythm track. A drum that is hit anew takes another slot while its old hit fades.
struct DrumKit: ~Copyable {
    private static let slotCount = 4
    private var slots: Storage<DrumSlot>
    /// The partials of all drums, those of one drum side by side.
    private let partials: Storage<PreparedPartial>
    /// Where each drum's partials begin; the last entry is the end.
    private var firstPartials: InlineArray<13, Int8>
    private let fadeFrames: Int

    init(_ reader: TableReader, sampleRate: Double) {
        slots = Storage(count: DrumKit.slotCount) {
            DrumSlot(reader, seed: UInt32(1 + 8 * $0), sampleRate: sampleRate)
        }
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        firstPartials = InlineArray(repeating: 0)

        var all: [(partial: DrumPartial, index: Int)] = []
        var counts = [0, 0, 0]
        for drum in Drum.allCases {
            firstPartials[drum.rawValue] = Int8(all.count)
            for partial in drum.partials {
                all.append((partial, counts[partial.source.kind]))
                counts[partial.source.kind] += 1
            }
        }
        firstPartials[Drum.allCases.count] = Int8(all.count)
        precondition(zip(counts, DrumSlot.capacities).allSatisfy { $0 <= $1 }, "each partial has a lane of its own")
        partials = Storage(count: all.count) {
            PreparedPartial(all[$0].partial, index: all[$0].index, sampleRate: sampleRate)
        }
        for (partial, index) in all { setFilter(of: partial, index: index, sampleRate: sampleRate) }
    }

    private mutating func setFilter(of partial: DrumPartial, index: Int, sampleRate: Double) {
        guard case .noise(let kind, let frequency, let q) = partial.source else { return }
        let filter = BiquadCoefficients(kind, frequency: frequency, q: q, sampleRate: sampleRate)
        for slot in 0..<DrumKit.slotCount {
            unsafe slots.elements[slot].setFilter(filter, group: index / laneCount, lane: index % laneCount)
        }
    }

    /// Whether no hit sounds.
    var isSilent: Bool {
        @_noLocks @_noAllocation
        get {
            for slot in 0..<4 where unsafe !slots.elements[slot].isSilent { return false }
            return true
        }
    }

    /// Hits a drum, 0 to 11; level 1 is an accent.
    @_noLocks @_noAllocation
    mutating func start(_ drum: Int, level: Float, at frame: Int64) {
        fade(drum, at: frame)
        if drum == closedHat { fade(openHat, at: frame) }
        let slot = freeSlot(for: drum)
        for index in range(of: drum) {
            unsafe slots.elements[slot].start(partials.elements[index], level: level, at: frame)
        }
    }

    /// Fades a drum's hits.
    @_noLocks @_noAllocation
    mutating func fade(_ drum: Int, at frame: Int64) {
        for slot in 0..<4 {
            for index in range(of: drum) {
                unsafe slots.elements[slot].fade(partials.elements[index], frames: fadeFrames, at: frame)
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
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        for slot in 0..<4 where unsafe !slots.elements[slot].isSilent {
            unsafe slots.elements[slot].render(adding: output, from: frame, count: count)
        }
    }

    /// The first slot in which the drum is silent; the last one when hits come faster than they fade.
    @_noLocks @_noAllocation
    private func freeSlot(for drum: Int) -> Int {
        for slot in 0..<3 {
            var isFree = true
            for index in range(of: drum) where unsafe slots.elements[slot].isLive(partials.elements[index]) {
                isFree = false
            }
            if isFree { return slot }
        }
        return 3
    }

    @_noLocks @_noAllocation
    private func range(of drum: Int) -> Range<Int> { Int(firstPartials[drum])..<Int(firstPartials[drum + 1]) }

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
