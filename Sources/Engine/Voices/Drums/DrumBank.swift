import Music

/// The voices of a drum track, for every kit and for samples. A drum that is hit again gets another voice while its old
/// hit fades.
struct DrumBank: ~Copyable {
    private let place = Pinned()
    private var voices: FixedArray<DrumVoice>
    /// Those of all kits, twelve each.
    private var drums: FixedArray<PreparedDrum>
    private let metals: FixedArray<MetalReader?>
    /// Keeps the memory of the readers alive.
    private let metal: MetalSet
    /// Where a hit's parts are added up.
    private let parts = LaneMix()
    /// One bit for each voice that sounds.
    private var live: UInt32 = 0
    /// The voice of each drum's newest hit, -1 for none.
    private var newest = PerNote<Int8>(repeating: -1)
    /// The drum that each one silences, -1 for none.
    private let choked: PerNote<Int8>
    private var remaining = RemainingFade()
    /// How many hits there were: each has noise of its own.
    private var hitCount: UInt32 = 0
    private let fadeFrames: Int
    private let kitCount: Int
    private var setting: VoiceSetting
    /// The samples that the drums play.
    private var samples = SampleReference()

    init(_ tables: WavetableSet, _ setting: VoiceSetting) {
        let sampleRate = setting.sampleRate
        let metal = MetalSet.at(sampleRate: sampleRate)
        self.metal = metal
        let kits = KitDescription.all
        precondition(kits.allSatisfy { $0.drums.count == noteCount }, "a kit has all drums")
        kitCount = kits.count
        drums = FixedArray(count: kits.count * noteCount) { index in
            let kit = kits[index / noteCount]
            return PreparedDrum(kit.drums[index % noteCount], of: kit, tables, setting)
        }
        metals = FixedArray(count: kits.count) { metal.reader(kit: $0) }
        voices = FixedArray(count: DrumBank.voiceCount) { _ in DrumVoice(tables.reader, sampleRate: sampleRate) }
        choked = InlineArray { Int8(Drum.allCases[$0].choked?.rawValue ?? -1) }
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        self.setting = setting
    }

    private static var voiceCount: Int { 32 }

    /// The kit whose drums are hit where a kit of samples has none: 808.
    private static var kitBesideSamples: Int { 1 }

    /// Hits drums with other parameters from now on; what sounds keeps its own.
    mutating func apply(_ setting: VoiceSetting) { self.setting = setting }

    /// Hits drums of other samples from now on.
    mutating func apply(_ samples: SampleReference) { self.samples = samples }

    /// Whether no hit sounds.
    var isSilent: Bool { live == 0 && remaining.isSilent }

    /// The oldest generation of samples that a hit plays from, or the next hit would.
    var oldestSamples: Int {
        var (oldest, rest) = (samples.generation, live)
        while rest != 0 {
            oldest = unsafe min(oldest, voices.elements[rest.trailingZeroBitCount].sampleGeneration)
            rest &= rest - 1
        }
        return oldest
    }

    /// Hits a drum, 0 to 11.
    mutating func start(_ drum: Int, _ stroke: Stroke, at frame: Int64) {
        fade(drum)
        if choked[drum] >= 0 { fade(Int(choked[drum])) }
        let voice = freeVoice()
        live |= 1 << UInt32(truncatingIfNeeded: voice)
        newest[drum] = Int8(truncatingIfNeeded: voice)
        var kit = Int(setting.parameters[.kit])
        if kit == kitCount {
            if let sample = samples.sample(of: drum, at: setting.sampleRate) {
                return unsafe voices.elements[voice].start(sample, generation: samples.generation, stroke)
            }
            kit = DrumBank.kitBesideSamples
        }
        hitCount &+= 1
        unsafe drums.elements[kit * noteCount + drum].apply(setting)
        unsafe voices.elements[voice].start(
            drums.elements[kit * noteCount + drum], metals.elements[kit], seed: hitCount &* UInt32(laneCount), stroke,
            at: frame)
    }

    /// Fades a drum's newest hit; the others fade already.
    mutating func fade(_ drum: Int) {
        let voice = Int(newest[drum])
        newest[drum] = -1
        guard voice >= 0, live >> UInt32(truncatingIfNeeded: voice) & 1 == 1 else { return }
        unsafe voices.elements[voice].fade(frames: fadeFrames)
    }

    /// Fades all hits.
    mutating func fadeAll() {
        for drum in 0..<noteCount { fade(drum) }
    }

    /// Adds the hits to the output.
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var rest = live
        while rest != 0 {
            let voice = rest.trailingZeroBitCount
            rest &= rest - 1
            unsafe voices.elements[voice].render(adding: output, by: parts, from: frame, count: count)
            if unsafe !voices.elements[voice].isLive { end(voice) }
        }
        unsafe remaining.render(adding: output, count: count)
    }

    /// Gives a voice back.
    private mutating func end(_ voice: Int) {
        live &= ~(1 << UInt32(truncatingIfNeeded: voice))
        for drum in 0..<noteCount where Int(newest[drum]) == voice { newest[drum] = -1 }
    }

    /// A free voice; if none is, because hits come so fast, a fading one, whose rest is faded separately.
    private mutating func freeVoice() -> Int {
        let free = ~live
        if free != 0 { return free.trailingZeroBitCount }
        var voice = 0
        while unsafe voice < DrumBank.voiceCount - 1 && !voices.elements[voice].isFading { voice += 1 }
        unsafe remaining.add(voices.elements[voice].newest, frames: fadeFrames)
        end(voice)
        return voice
    }
}

extension Drum {
    /// The drum that this one silences when it is hit.
    fileprivate var choked: Drum? { self == .closedHat ? .openHat : nil }
}
