import Music

/// The voices of a drum track, for every kit and for samples. A drum that is hit again gets other lanes while its old hit fades.
struct DrumBank: ~Copyable {
    private let place = Pinned()
    private var groups: FixedArray<DrumGroup>
    /// The drums of all kits, twelve each.
    private var drums: FixedArray<PreparedDrum>
    private let metals: FixedArray<MetalReader?>
    /// Keeps the memory of the readers alive.
    private let metal: MetalSet?
    /// Adds up a hit's parts.
    private let parts = LaneMix()
    /// One bit for each group that sounds.
    private var live: UInt32 = 0
    /// Where each drum's newest hit is.
    private var newest = PerNote(repeating: HitPlace())
    /// The drum that each one silences, -1 for none.
    private let choked: PerNote<Int8>
    private var remaining = RemainingFade()
    private var sideRemaining = RemainingFade()
    /// The factor of the frequencies of sines and waveforms.
    private var bend = 1.0
    /// How many hits there were since the music started from silence: each has its own noise.
    var hitCount: UInt32 = 0
    private let fadeFrames: Int
    private let kitCount: Int
    private var setting: VoiceSetting
    /// The samples that the drums play.
    private var samples = SampleReference()

    /// - Parameter metal: Nil for drums that are never played.
    init(_ tables: WavetableSet, _ metal: MetalSet?, _ setting: VoiceSetting) {
        let sampleRate = setting.sampleRate
        self.metal = metal
        let kits = KitDescription.all
        kitCount = kits.count
        drums = FixedArray(count: kits.count * noteCount) { index in
            let kit = kits[index / noteCount]
            return PreparedDrum(kit.drums[index % noteCount], of: kit, tables, setting)
        }
        metals = FixedArray(count: kits.count) { metal?.reader(kit: $0) }
        groups = FixedArray(count: DrumBank.groupCount) { _ in DrumGroup(tables.reader, sampleRate: sampleRate) }
        choked = InlineArray { Int8(Drum.allCases[$0].choked?.rawValue ?? -1) }
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        self.setting = setting
    }

    private static var groupCount: Int { 32 }

    /// The kit that is played for drums without a sample: 808.
    private static var kitBesideSamples: Int { 1 }

    /// Sets the parameters of the next hits; sounding hits keep theirs.
    mutating func apply(_ setting: VoiceSetting) { self.setting = setting }

    /// Sets the samples of the next hits.
    mutating func apply(_ samples: SampleReference) { self.samples = samples }

    /// Whether no hit sounds.
    var isSilent: Bool { live == 0 && remaining.isSilent }

    /// Ends all hits at once: it then sounds as a new one. Parameters and count of hits stay.
    mutating func reset() {
        for group in 0..<DrumBank.groupCount { groups[group].reset() }
        (live, bend) = (0, 1)
        for drum in 0..<noteCount { newest[drum] = HitPlace() }
        remaining = RemainingFade()
        sideRemaining = RemainingFade()
    }

    /// Counts the hits anew, while no hit sounds.
    mutating func beginAnew() { hitCount = 0 }

    /// The oldest generation of samples that a hit plays from, or that the next hit would.
    var oldestSamples: Int {
        var (oldest, rest) = (samples.generation, live)
        while rest != 0 {
            oldest = min(oldest, groups[rest.trailingZeroBitCount].sampleGeneration)
            rest &= rest - 1
        }
        return oldest
    }

    /// Hits a drum, 0 to 11.
    mutating func start(_ drum: Int, _ stroke: Stroke, at frame: Int64) {
        fade(drum, at: frame)
        if choked[drum] >= 0 { fade(Int(choked[drum]), at: frame) }
        newest[drum] = place(drum, stroke, at: frame)
    }

    private mutating func place(_ drum: Int, _ stroke: Stroke, at frame: Int64) -> HitPlace {
        var kit = Int(setting.parameters[.kit])
        if kit == kitCount {
            if let sample = samples.sample(of: drum, at: setting.sampleRate) {
                let group = freeGroup()
                let lanes = groups[group].start(sample, generation: samples.generation, stroke)
                return HitPlace(group: group, lanes: lanes)
            }
            kit = DrumBank.kitBesideSamples
        }
        hitCount &+= 1
        // The noise follows pitch and level.
        var drift = stroke.drift
        (_, _) = (drift.drumDetune(), drift.level())
        let index = kit * noteCount + drum
        let seed = drift.seed(else: hitCount &* UInt32(laneCount))
        drums[index].apply(setting)
        if let group = groupWithRoom(for: index) {
            let lanes = groups[group].add(drums[index], seed: seed, stroke, at: frame)
            for other in 0..<noteCount { newest[other].lose(lanes, of: group) }
            return HitPlace(group: group, lanes: lanes)
        }
        let group = freeGroup()
        let lanes = groups[group].start(
            drums[index], metals[kit]?.starting(at: drift.place()), seed: seed, stroke, at: frame)
        return HitPlace(group: group, lanes: lanes)
    }

    /// Fades a drum's newest hit; the others are already fading.
    mutating func fade(_ drum: Int, at frame: Int64) {
        let place = newest[drum]
        newest[drum] = HitPlace()
        guard place.lanes != 0 else { return }
        groups[place.group].fade(place.lanes, frames: fadeFrames, at: frame)
    }

    /// Fades all hits.
    mutating func fadeAll(at frame: Int64) {
        for drum in 0..<noteCount { fade(drum, at: frame) }
    }

    /// Multiplies the frequencies of sines and waveforms with a factor, those of later hits too.
    mutating func bend(to factor: Double) {
        if factor == bend { return }
        bend = factor
        for group in 0..<DrumBank.groupCount { groups[group].bend(to: factor) }
    }

    /// Adds the hits to the output.
    ///
    /// - Parameter side: Where the hits times their places are added; nil while nobody hears that.
    mutating func render(
        adding output: UnsafeMutablePointer<Lanes>, side: UnsafeMutablePointer<Lanes>?, from frame: Int64, count: Int
    ) {
        var rest = live
        while rest != 0 {
            let group = rest.trailingZeroBitCount
            rest &= rest - 1
            unsafe groups[group].render(adding: output, side: side, by: parts, from: frame, count: count)
            if !groups[group].isLive { end(group) }
        }
        unsafe remaining.render(adding: output, count: count)
        unsafe sideRemaining.render(adding: side, count: count)
    }

    /// Frees a group.
    private mutating func end(_ group: Int) {
        live &= ~(1 << UInt32(truncatingIfNeeded: group))
        for drum in 0..<noteCount { newest[drum].lose(0xf, of: group) }
    }

    /// The first group that sounds and has lanes free for a drum of a kit.
    private func groupWithRoom(for drum: Int) -> Int? {
        var rest = live
        while rest != 0 {
            let group = rest.trailingZeroBitCount
            if groups[group].hasRoom(for: drums[drum]) { return group }
            rest &= rest - 1
        }
        return nil
    }

    /// A free group, which sounds from now on; if there is none, because hits come so fast, a fading one, whose rest is
    /// faded separately.
    private mutating func freeGroup() -> Int {
        var group = (~live).trailingZeroBitCount
        if group == DrumBank.groupCount {
            group = 0
            while group < DrumBank.groupCount - 1 && !groups[group].isFading { group += 1 }
            remaining.add(groups[group].newest, frames: fadeFrames)
            sideRemaining.add(groups[group].newestSide, frames: fadeFrames)
            end(group)
        }
        live |= 1 << UInt32(truncatingIfNeeded: group)
        return group
    }
}

/// The lanes of a hit, one bit each; none after it has ended.
private struct HitPlace: BitwiseCopyable {
    var group = 0
    var lanes: UInt8 = 0

    /// Loses lanes that now belong to other hits.
    mutating func lose(_ lost: UInt8, of group: Int) {
        if group == self.group { lanes &= ~lost }
    }
}

extension Drum {
    /// The drum that this one silences when it is hit.
    fileprivate var choked: Drum? { self == .closedHat ? .openHat : nil }
}
