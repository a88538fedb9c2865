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
    private let envelope: NoteEnvelope

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

    /// Adds every track's sound to its buffer, from an offset in the period on.
    @_noLocks @_noAllocation
    mutating func render(adding buffers: RtBuffers, offset: Int, from frame: Int64, count: Int) {
        unsafe melody.render(adding: buffers.melody + offset, from: frame, count: count)
        unsafe chords.render(adding: buffers.chords + offset, from: frame, count: count)
        unsafe bass.render(adding: buffers.bass + offset, from: frame, count: count)
        unsafe rhythm.render(adding: buffers.rhythm + offset, from: frame, count: count)
    }
}
