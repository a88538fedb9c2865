import Music

/// A kit of samples at one sample rate, at most one for each drum; immutable.
@safe
public final class SampleKit: Sendable {
    /// Frames per second.
    public let sampleRate: Double
    /// By what takes find it again; nil if it is from no folder.
    public let fingerprint: KitFingerprint?
    /// All samples, one after another; written in `init` only.
    private nonisolated(unsafe) let memory: UnsafeMutablePointer<Float>
    /// Where each drum's samples are; written in `init` only.
    private nonisolated(unsafe) let drums: UnsafeMutablePointer<DrumSample>

    /// A kit.
    ///
    /// - Parameters:
    ///   - sampleRate: In Hz; at another rate an engine plays none of the samples.
    ///   - samples: For each of `Music.Drum`, in their order, one channel at full scale 1; nil or empty for a drum that has
    ///     none.
    ///   - places: The place of each, from -1, left, to 1.
    ///   - fingerprint: By what takes find it again.
    public init(
        sampleRate: Double, samples: [[Float]?], places: [Float] = Array(repeating: 0, count: 12),
        fingerprint: KitFingerprint? = nil
    ) {
        precondition(samples.count == noteCount, "a kit has a place for each drum")
        self.sampleRate = sampleRate
        self.fingerprint = fingerprint
        let count = samples.reduce(0) { $0 + ($1?.count ?? 0) }
        unsafe memory = .allocate(capacity: max(1, count))
        unsafe drums = .allocate(capacity: noteCount)
        var place = 0
        for (drum, samples) in samples.enumerated() {
            let samples = samples ?? []
            for index in samples.indices { unsafe (memory + place + index).initialize(to: samples[index]) }
            unsafe (drums + drum).initialize(to: DrumSample(memory + place, count: samples.count, place: places[drum]))
            place += samples.count
        }
    }

    deinit {
        unsafe memory.deallocate()
        unsafe drums.deallocate()
    }

    /// The kit, for the process callback.
    func reference(generation: Int) -> SampleReference {
        unsafe SampleReference(drums, sampleRate: sampleRate, generation: generation)
    }
}

/// Where a drum's sample is.
@safe
struct DrumSample: BitwiseCopyable {
    private let frames: UnsafePointer<Float>
    /// Its length; 0 for none.
    let count: Int
    /// Where the drum is, from -1, left, to 1.
    let place: Float

    fileprivate init(_ frames: UnsafePointer<Float>, count: Int, place: Float) {
        unsafe self.frames = frames
        self.count = count
        self.place = place
    }

    /// One of the frames, 0 ..< ``count``.
    subscript(index: Int) -> Float {
        @inline(__always) get { unsafe frames[index] }
    }
}

/// A ``SampleKit`` for the process callback, without reference counting. The samples stay until the callback has
/// reported that it no longer plays this generation.
@safe
struct SampleReference: BitwiseCopyable {
    private let drums: UnsafePointer<DrumSample>?
    private let sampleRate: Double
    /// Counts the kits that were published.
    let generation: Int

    /// No samples.
    init(generation: Int = 0) {
        unsafe drums = nil
        sampleRate = 0
        self.generation = generation
    }

    fileprivate init(_ drums: UnsafePointer<DrumSample>, sampleRate: Double, generation: Int) {
        unsafe self.drums = drums
        self.sampleRate = sampleRate
        self.generation = generation
    }

    /// A drum's sample at a sample rate in Hz; nil if there is none.
    func sample(of drum: Int, at sampleRate: Double) -> DrumSample? {
        guard let drums = unsafe drums, sampleRate == self.sampleRate else { return nil }
        let sample = unsafe drums[drum]
        return sample.count > 0 ? sample : nil
    }
}

/// Plays a sample from its start to its end.
struct SamplePlayer: BitwiseCopyable {
    private var sample: DrumSample?
    private var position = 0
    /// The generation of the sample's kit.
    private(set) var generation = Int.max

    /// Whether there is anything left to play.
    var isLive: Bool { sample != nil }

    /// Plays a sample from its start.
    mutating func start(_ sample: DrumSample, generation: Int) {
        self.sample = sample
        self.generation = generation
        position = 0
    }

    mutating func stop() {
        sample = nil
        generation = .max
    }

    /// Adds the next frames to the output, through the drum's output stage.
    mutating func render(
        adding mix: UnsafeMutablePointer<Lanes>, side: SideBus?, count: Int, through output: inout DrumOutput
    ) {
        guard let sample else { return }
        let length = min(count, sample.count - position)
        if let side {
            for index in 0..<length { unsafe side.add(output.next(sample[position + index]), to: mix, index) }
        } else {
            for index in 0..<length { unsafe mix[index].x += output.next(sample[position + index]) }
        }
        position += length
        if position == sample.count { stop() }
    }
}
