import Music

/// A set of tracks.
struct TrackSet: BitwiseCopyable {
    private var bits: UInt8

    /// No track.
    @_noLocks @_noAllocation
    init() {
        bits = 0
    }

    @_noLocks @_noAllocation
    init(melody: Bool, chords: Bool, bass: Bool, rhythm: Bool) {
        bits = (melody ? 1 : 0) | (chords ? 2 : 0) | (bass ? 4 : 0) | (rhythm ? 8 : 0)
    }

    var isEmpty: Bool {
        @_noLocks @_noAllocation get { bits == 0 }
    }

    @_noLocks @_noAllocation
    func contains(_ track: Int) -> Bool { bits >> UInt8(truncatingIfNeeded: track) & 1 == 1 }

    @_noLocks @_noAllocation
    mutating func formUnion(_ other: TrackSet) {
        bits |= other.bits
    }
}

/// All that makes sound, track by track.
struct VoiceSet: ~Copyable {
    private var melody: PitchedBank
    private var chords: PitchedBank
    private var bass: PitchedBank
    private var rhythm: DrumKit
    private let mix = LaneMix()
    private var envelope: NoteEnvelope

    init(tables: borrowing WavetableSet, sampleRate: Double) {
        let reader = tables.reader
        melody = PitchedBank(track: .melody, oscillator: .sine, cutoff: 2000, sampleRate: sampleRate)
        chords = PitchedBank(
            track: .chords, oscillator: .table(reader, base: WavetableSet.Use.chords.base), cutoff: 1500,
            sampleRate: sampleRate)
        bass = PitchedBank(
            track: .bass, oscillator: .table(reader, base: WavetableSet.Use.bass.base), cutoff: 400,
            sampleRate: sampleRate)
        rhythm = DrumKit(reader, sampleRate: sampleRate)
        envelope = NoteEnvelope(sampleRate: sampleRate)
    }

    /// The tracks that have voices which sound.
    var sounding: TrackSet {
        @_noLocks @_noAllocation
        get {
            TrackSet(
                melody: !melody.isSilent, chords: !chords.isSilent, bass: !bass.isSilent, rhythm: !rhythm.isSilent)
        }
    }

    /// Starts a note of a track; a drum takes no notice of steps.
    @_noLocks @_noAllocation
    mutating func start(
        track: Int, note: Int, isAccent: Bool, stepSeconds: Double, sustainCount: Int, at frame: Int64
    ) {
        guard track < 3 else { return rhythm.start(note, level: isAccent ? 1 : 0.5, at: frame) }
        let shape = envelope.shape(stepSeconds: stepSeconds, sustainSteps: sustainCount, isAccent: isAccent)
        switch track {
        case 0: melody.start(note, shape, at: frame)
        case 1: chords.start(note, shape, at: frame)
        default: bass.start(note, shape, at: frame)
        }
    }

    /// Fades a note of a track.
    @_noLocks @_noAllocation
    mutating func fade(track: Int, note: Int, at frame: Int64) {
        switch track {
        case 0: melody.fade(note, at: frame)
        case 1: chords.fade(note, at: frame)
        case 2: bass.fade(note, at: frame)
        default: rhythm.fade(note, at: frame)
        }
    }

    /// Fades everything.
    @_noLocks @_noAllocation
    mutating func fadeAll(at frame: Int64) {
        melody.fadeAll(at: frame)
        chords.fadeAll(at: frame)
        bass.fadeAll(at: frame)
        rhythm.fadeAll(at: frame)
    }

    /// Writes the sound of every track that has any to its buffer, from an offset in the period on.
    @_noLocks @_noAllocation
    mutating func render(_ buffers: RtBuffers, offset: Int, from frame: Int64, count: Int) {
        for track in 0..<4 where sounding.contains(track) {
            unsafe render(track, into: buffers.track(track) + offset, from: frame, count: count)
        }
    }

    @_noLocks @_noAllocation
    private mutating func render(
        _ track: Int, into output: UnsafeMutablePointer<Float>, from frame: Int64, count: Int
    ) {
        var done = 0
        while done < count {
            let block = LaneMix.blockLength(of: count - done)
            let lanes = unsafe mix.start(count: block)
            let start = frame + Int64(done)
            switch track {
            case 0: unsafe melody.render(adding: lanes, from: start, count: block)
            case 1: unsafe chords.render(adding: lanes, from: start, count: block)
            case 2: unsafe bass.render(adding: lanes, from: start, count: block)
            default: unsafe rhythm.render(adding: lanes, from: start, count: block)
            }
            unsafe mix.finish(output + done, count: block)
            done += block
        }
    }
}
