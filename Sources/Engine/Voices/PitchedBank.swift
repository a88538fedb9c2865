import Music

/// All voices of a pitched track.
///
/// A note that starts anew takes a free lane while its old voice fades, so nothing is stolen. Eight groups of four lanes:
/// twelve notes and, until they have faded, twenty old voices.
struct PitchedBank: ~Copyable {
    private var groups: Storage<PitchedGroup>
    private let oscillator: Oscillator
    private let increments: InlineArray<12, UInt32>
    private let fadeFrames: Int
    /// The lane (group * 4 + lane) of each note's newest voice, -1 before the first.
    private var lanes = InlineArray<12, Int8>(repeating: -1)
    /// Which note's newest voice a lane holds, -1 for none.
    private var notes = InlineArray<32, Int8>(repeating: -1)

    init(track: Track, oscillator: Oscillator, cutoff: Double, sampleRate: Double) {
        let filter = LowPassLanes(frequency: cutoff, q: BiquadCoefficients.butterworth, sampleRate: sampleRate)
        groups = Storage(count: 8) { _ in PitchedGroup(filter: filter) }
        self.oscillator = oscillator
        increments = InlineArray { note in
            phaseIncrement(frequency(pitch: track.lowestPitch + note), sampleRate: sampleRate)
        }
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
    }

    /// Whether no voice sounds.
    var isSilent: Bool {
        @_noLocks @_noAllocation
        get {
            for group in 0..<8 where unsafe groups.elements[group].envelopes.live != 0 { return false }
            return true
        }
    }

    /// Starts a note; a voice of it that still sounds fades.
    @_noLocks @_noAllocation
    mutating func start(_ note: Int, _ shape: EnvelopeShape, at frame: Int64) {
        fade(note, at: frame)
        let index = freeLane()
        if notes[index] >= 0 { lanes[Int(notes[index])] = -1 }
        lanes[note] = Int8(truncatingIfNeeded: index)
        notes[index] = Int8(truncatingIfNeeded: note)
        unsafe groups.elements[index / 4].start(shape, increment: increments[note], lane: index % 4, at: frame)
    }

    /// Fades a note's newest voice.
    @_noLocks @_noAllocation
    mutating func fade(_ note: Int, at frame: Int64) {
        let index = Int(lanes[note])
        guard index >= 0 else { return }
        lanes[note] = -1
        notes[index] = -1
        guard unsafe groups.elements[index / 4].envelopes.isLive(index % 4) else { return }
        unsafe groups.elements[index / 4].envelopes.fade(lane: index % 4, frames: fadeFrames, at: frame)
    }

    /// Fades all voices.
    @_noLocks @_noAllocation
    mutating func fadeAll(at frame: Int64) {
        for note in 0..<12 { fade(note, at: frame) }
    }

    /// Adds the voices to the output.
    @_noLocks @_noAllocation
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        for group in 0..<8 where unsafe groups.elements[group].envelopes.live != 0 {
            unsafe groups.elements[group].render(oscillator, adding: output, from: frame, count: count)
        }
    }

    /// The first free lane; when notes come so fast that none is, the quietest of those that fade.
    @_noLocks @_noAllocation
    private func freeLane() -> Int {
        for group in 0..<8 {
            let free = unsafe ~groups.elements[group].envelopes.live & 0xf
            if free != 0 { return group * 4 + free.trailingZeroBitCount }
        }
        var quietest = 0
        var level = Float.infinity
        for index in 0..<32 where notes[index] < 0 {
            let value = unsafe groups.elements[index / 4].envelopes.values[index % 4]
            if value < level { (quietest, level) = (index, value) }
        }
        return quietest
    }
}
