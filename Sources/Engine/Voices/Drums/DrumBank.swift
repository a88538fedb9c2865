import Music

/// Room for one hit of every drum.
struct DrumSlot: ~Copyable {
    private var sines: FixedArray<DrumSineGroup>
    private var tables: DrumTableGroup
    private var noises: FixedArray<DrumNoiseGroup>

    init(_ reader: TableReader, sampleRate: Double) {
        sines = FixedArray(count: 2) { _ in DrumSineGroup() }
        tables = DrumTableGroup(reader)
        noises = FixedArray(count: 2) { _ in DrumNoiseGroup(sampleRate: sampleRate) }
    }

    /// How many partials of each kind there is room for.
    static let capacities = [2 * laneCount, laneCount, 2 * laneCount]

    var isSilent: Bool {
        unsafe tables.envelopes.live == 0
            && sines.elements[0].envelopes.live | sines.elements[1].envelopes.live == 0
            && noises.elements[0].envelopes.live | noises.elements[1].envelopes.live == 0
    }

    func isLive(_ partial: borrowing PreparedPartial) -> Bool {
        switch partial.source {
        case .sine: unsafe sines.elements[partial.group].envelopes.isLive(partial.lane)
        case .table: tables.envelopes.isLive(partial.lane)
        case .noise: unsafe noises.elements[partial.group].envelopes.isLive(partial.lane)
        }
    }

    mutating func start(_ partial: borrowing PreparedPartial, seed: UInt32, level: Float, at frame: Int64) {
        let shape = partial.shape.scaled(by: level)
        switch partial.source {
        case .sine(let glide): unsafe sines.elements[partial.group].start(shape, glide, lane: partial.lane, at: frame)
        case .table(let base, let increment):
            tables.start(shape, base: base, increment: increment, lane: partial.lane, at: frame)
        case .noise(let filter):
            unsafe noises.elements[partial.group].start(
                shape, filter.coefficients, seed: seed, lane: partial.lane, at: frame)
        }
    }

    mutating func fade(_ partial: borrowing PreparedPartial, frames: Int, at frame: Int64) {
        guard isLive(partial) else { return }
        let (group, lane) = (partial.group, partial.lane)
        switch partial.source {
        case .sine: unsafe sines.elements[group].envelopes.fade(lane: lane, frames: frames, at: frame)
        case .table: tables.envelopes.fade(lane: lane, frames: frames, at: frame)
        case .noise: unsafe noises.elements[group].envelopes.fade(lane: lane, frames: frames, at: frame)
        }
    }

    /// What a partial added to the newest frame.
    func newest(of partial: borrowing PreparedPartial) -> Float {
        guard isLive(partial) else { return 0 }
        return switch partial.source {
        case .sine: unsafe sines.elements[partial.group].newest[partial.lane]
        case .table: tables.newest[partial.lane]
        case .noise: unsafe noises.elements[partial.group].newest[partial.lane]
        }
    }

    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        for group in 0..<2 { unsafe sines.elements[group].render(adding: output, from: frame, count: count) }
        unsafe tables.render(adding: output, from: frame, count: count)
        for group in 0..<2 { unsafe noises.elements[group].render(adding: output, from: frame, count: count) }
    }
}

/// All voices of a track of drums. A drum that is hit anew takes another slot while its old hit fades.
struct DrumBank: ~Copyable {
    private var slots: FixedArray<DrumSlot>
    /// The partials of all drums, those of one drum side by side.
    private var partials: FixedArray<PreparedPartial>
    /// Where each drum's partials begin; the last entry is the end.
    private var firstPartials: InlineArray<13, Int8>
    /// The drum that each one silences, -1 for none.
    private let choked: InlineArray<12, Int8>
    private let fadeFrames: Int
    /// The hits of the kits after the first.
    private var kits: KitBank
    /// The kit that the next drum is hit of.
    private var chosen = 0
    private var remaining = RemainingFade()
    /// How many hits there were: each has noise of its own.
    private var hitCount: UInt32 = 0
    private var setting: VoiceSetting

    init(_ tables: WavetableSet, _ setting: VoiceSetting) {
        self.setting = setting
        let sampleRate = setting.sampleRate
        slots = FixedArray(count: DrumBank.slotCount) { _ in DrumSlot(tables.reader, sampleRate: sampleRate) }
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        kits = KitBank(KitDescription.all, tables, setting)
        firstPartials = InlineArray(repeating: 0)
        choked = InlineArray { Int8(Drum.allCases[$0].choked?.rawValue ?? -1) }

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
        partials = FixedArray(count: all.count) {
            PreparedPartial(all[$0].partial, index: all[$0].index, tables, setting)
        }
    }

    /// Hits drums with other parameters from now on; what sounds keeps its own.
    mutating func apply(_ setting: VoiceSetting) {
        self.setting = setting
        chosen = Int(setting.parameters[.kit])
    }

    /// Hits drums of other samples from now on.
    mutating func apply(_ samples: SampleReference) { kits.samples = samples }

    /// The oldest generation of samples that is played from, or may be.
    var oldestSamples: Int { kits.oldestSamples }

    /// Whether no hit sounds.
    var isSilent: Bool {
        for slot in 0..<DrumBank.slotCount where unsafe !slots.elements[slot].isSilent { return false }
        return kits.isSilent && remaining.isSilent
    }

    /// Hits a drum, 0 to 11; it takes no notice of steps.
    mutating func start(_ drum: Int, _ stroke: Stroke, at frame: Int64) {
        let gain = Float(stroke.gain)
        let level = stroke.isAccent ? gain : 0.5 * gain
        fade(drum, at: frame)
        if choked[drum] >= 0 { fade(Int(choked[drum]), at: frame) }
        if chosen > 0 {
            return kits.start(drum, kit: chosen - 1, setting, isAccent: stroke.isAccent, gain: gain, at: frame)
        }
        let slot = freeSlot(for: drum)
        hitCount &+= 1
        for index in range(of: drum) {
            unsafe partials.elements[index].apply(setting)
            unsafe slots.elements[slot].start(partials.elements[index], seed: hitCount, level: level, at: frame)
        }
    }

    /// Fades a drum's hits.
    mutating func fade(_ drum: Int, at frame: Int64) {
        kits.fade(drum)
        for slot in 0..<DrumBank.slotCount {
            for index in range(of: drum) {
                unsafe slots.elements[slot].fade(partials.elements[index], frames: fadeFrames, at: frame)
            }
        }
    }

    /// Fades all hits.
    mutating func fadeAll(at frame: Int64) {
        for drum in 0..<noteCount { fade(drum, at: frame) }
    }

    /// Adds the hits to the output.
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        for slot in 0..<DrumBank.slotCount where unsafe !slots.elements[slot].isSilent {
            unsafe slots.elements[slot].render(adding: output, from: frame, count: count)
        }
        unsafe remaining.render(adding: output, count: count)
        unsafe kits.render(adding: output, from: frame, count: count)
    }

    /// The first slot in which the drum is silent. When hits come faster than they fade it is the last one, whose hit goes
    /// on fading elsewhere.
    private mutating func freeSlot(for drum: Int) -> Int {
        for slot in 0..<DrumBank.slotCount - 1 {
            var isFree = true
            for index in range(of: drum) where unsafe slots.elements[slot].isLive(partials.elements[index]) {
                isFree = false
            }
            if isFree { return slot }
        }
        let last = DrumBank.slotCount - 1
        for index in range(of: drum) {
            unsafe remaining.add(slots.elements[last].newest(of: partials.elements[index]), frames: fadeFrames)
        }
        return last
    }

    private func range(of drum: Int) -> Range<Int> { Int(firstPartials[drum])..<Int(firstPartials[drum + 1]) }

    private static var slotCount: Int { 4 }
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
