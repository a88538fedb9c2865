import Music

/// The hits of all kits but the first, that of samples after the others. A drum that is hit anew takes another voice while its
/// old hit fades.
struct KitBank: ~Copyable {
    private let place = Pinned()
    private var voices: FixedArray<KitVoice>
    /// Those of all kits, twelve each.
    private var drums: FixedArray<PreparedDrum>
    private let metals: FixedArray<MetalReader>
    /// Keeps what the readers read.
    private let metal: MetalSet
    /// One bit for each voice that sounds.
    private var live: UInt32 = 0
    /// The voice of each drum's newest hit, -1 for none.
    private var newest = InlineArray<12, Int8>(repeating: -1)
    private var remaining = RemainingFade()
    /// How many hits there were: each has noise of its own.
    private var hitCount: UInt32 = 0
    private let fadeFrames: Int
    private let sampleRate: Double
    private let kitCount: Int
    /// The samples that drums are hit of.
    var samples = SampleReference()

    init(_ kits: [KitDescription], _ tables: WavetableSet, _ setting: VoiceSetting) {
        let sampleRate = setting.sampleRate
        let metal = MetalSet.at(sampleRate: sampleRate)
        self.metal = metal
        let all = kits.flatMap(\.drums)
        precondition(all.count == kits.count * noteCount, "a kit has all drums")
        drums = FixedArray(count: all.count) { PreparedDrum(all[$0], tables, setting) }
        metals = FixedArray(count: kits.count) { metal.reader(kit: $0) }
        voices = FixedArray(count: KitBank.voiceCount) { _ in KitVoice(tables.reader, sampleRate: sampleRate) }
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
        self.sampleRate = sampleRate
        kitCount = kits.count
    }

    private static var voiceCount: Int { 32 }

    /// The kit itself, or for that of samples 808, the first: its drums are hit where there is no sample.
    private func described(_ kit: Int) -> Int { kit < kitCount ? kit : 0 }

    /// Whether no hit sounds.
    var isSilent: Bool { live == 0 && remaining.isSilent }

    /// Hits a kit's drum.
    mutating func start(
        _ drum: Int, kit: Int, _ setting: VoiceSetting, isAccent: Bool, gain: Float, at frame: Int64
    ) {
        let voice = freeVoice()
        live |= 1 << UInt32(truncatingIfNeeded: voice)
        newest[drum] = Int8(truncatingIfNeeded: voice)
        if kit == kitCount, let sample = samples.sample(of: drum, at: sampleRate) {
            return unsafe voices.elements[voice].start(
                sample, generation: samples.generation, isAccent: isAccent, gain: gain)
        }
        let kit = described(kit)
        hitCount &+= 1
        unsafe drums.elements[kit * noteCount + drum].apply(setting)
        unsafe voices.elements[voice].start(
            drums.elements[kit * noteCount + drum], metals.elements[kit], seed: hitCount &* UInt32(laneCount),
            isAccent: isAccent, gain: gain, at: frame)
    }

    /// The oldest generation of samples that a hit plays from, or the next hit would.
    var oldestSamples: Int {
        var (oldest, rest) = (samples.generation, live)
        while rest != 0 {
            oldest = unsafe min(oldest, voices.elements[rest.trailingZeroBitCount].sampleGeneration)
            rest &= rest - 1
        }
        return oldest
    }

    /// Fades a drum's newest hit; the others fade already.
    mutating func fade(_ drum: Int) {
        let voice = Int(newest[drum])
        newest[drum] = -1
        guard voice >= 0, live >> UInt32(truncatingIfNeeded: voice) & 1 == 1 else { return }
        unsafe voices.elements[voice].fade(frames: fadeFrames)
    }

    /// Adds the hits to the output.
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var rest = live
        while rest != 0 {
            let voice = rest.trailingZeroBitCount
            rest &= rest - 1
            unsafe voices.elements[voice].render(adding: output, from: frame, count: count)
            if unsafe !voices.elements[voice].isLive { end(voice) }
        }
        unsafe remaining.render(adding: output, count: count)
    }

    /// Gives a voice back.
    private mutating func end(_ voice: Int) {
        live &= ~(1 << UInt32(truncatingIfNeeded: voice))
        for drum in 0..<noteCount where Int(newest[drum]) == voice { newest[drum] = -1 }
    }

    /// A voice that is free; when hits come so fast that none is, one that fades, which goes on fading elsewhere.
    private mutating func freeVoice() -> Int {
        let free = ~live
        if free != 0 { return free.trailingZeroBitCount }
        var voice = 0
        while unsafe voice < KitBank.voiceCount - 1 && !voices.elements[voice].isFading { voice += 1 }
        unsafe remaining.add(voices.elements[voice].newest, frames: fadeFrames)
        end(voice)
        return voice
    }
}
