import Music

/// All voices of a pitched track.
///
/// A note that starts again uses a free lane while its old voice fades, so that no voice is stolen. Eight groups of
/// four lanes: twelve notes and, until they have faded, twenty old voices.
struct PitchedBank: ~Copyable {
    private var groups: FixedArray<PitchedGroup>
    /// One bit for each group that sounds.
    private var live: UInt8 = 0
    private let presets: FixedArray<PreparedPreset>
    /// The preset that the next note is played with.
    private var chosen = 0
    private var setting: VoiceSetting
    private var envelope: NoteEnvelope
    private var sweeps = NoteSweep()
    /// How far each note's phase advances per frame, where 2^32 is a full cycle.
    private let increments: PerNote<Double>
    private let fadeFrames: Int
    private var remaining = RemainingFade()
    /// The lane (group * laneCount + lane) of each note's newest voice, -1 before the first.
    private var lanes = PerNote<Int8>(repeating: -1)
    /// How each note's newest voice falls when it is released, whatever preset has been chosen since.
    private var contours = PerNote<Contour>(repeating: .first)
    /// The factor of all frequencies.
    private var bend = 1.0
    /// The note whose newest voice is in each lane; -1 if the lane has no note's newest voice.
    private var notes = InlineArray<32, Int8>(repeating: -1)

    /// A bank whose lowest note has this MIDI note number.
    init(_ presets: [PitchedPreset], lowestPitch: Int, _ tables: WavetableSet, _ setting: VoiceSetting) {
        self.init(new: presets, lowestPitch: lowestPitch, tables, setting)
        apply(setting)
    }

    private init(
        new presets: [PitchedPreset], lowestPitch: Int, _ tables: WavetableSet, _ setting: VoiceSetting
    ) {
        let sampleRate = setting.sampleRate
        let reader = tables.reader
        groups = FixedArray(count: PitchedBank.groupCount) { _ in PitchedGroup(reader) }
        let highest = frequency(pitch: lowestPitch + noteCount - 1)
        self.presets = FixedArray(count: presets.count) {
            PreparedPreset(presets[$0], highestFrequency: highest, tables)
        }
        self.setting = setting
        envelope = NoteEnvelope(sampleRate: sampleRate)
        increments = InlineArray { note in frequency(pitch: lowestPitch + note) / sampleRate * 4_294_967_296 }
        fadeFrames = frames(Fade.seconds, sampleRate: sampleRate)
    }

    private static var groupCount: Int { 8 }

    /// Sets the parameters of the next notes; sounding notes keep theirs.
    mutating func apply(_ setting: VoiceSetting) {
        self.setting = setting
        let preset = Int(setting.parameters[.preset])
        if preset != chosen { envelope.forget() }
        sweeps.forget()
        chosen = preset
    }

    /// Whether no voice sounds.
    var isSilent: Bool { live == 0 && remaining.isSilent }

    /// Ends all voices at once: it then sounds as a new one. The parameters stay.
    mutating func reset() {
        for group in 0..<PitchedBank.groupCount { groups[group].reset() }
        live = 0
        bend = 1
        remaining = RemainingFade()
        for note in 0..<noteCount { lanes[note] = -1 }
        for lane in 0..<PitchedBank.groupCount * laneCount { notes[lane] = -1 }
    }

    /// Starts a note; a voice of it that still sounds fades.
    mutating func start(_ note: Int, _ stroke: Stroke, at frame: Int64) {
        fade(note, at: frame)
        let preset = presets[chosen]
        var shape = envelope.shape(preset.contour, peak: preset.peak, stroke)
        var drift = stroke.drift
        let phases = preset.voice.phases(&drift)
        let increment = increments[note] * drift.detune()
        if drift.isOpen { shape = shape.scaled(by: drift.level()) }
        let index = freeLane()
        if notes[index] >= 0 { lanes[Int(notes[index])] = -1 }
        lanes[note] = Int8(truncatingIfNeeded: index)
        notes[index] = Int8(truncatingIfNeeded: note)
        contours[note] = preset.contour
        var sweep = PreparedSweep()
        if case .tables(_, let described) = preset.voice {
            sweep = sweeps.sweep(described, pitch: note, softness: stroke.softness, setting)
        }
        live |= 1 << UInt8(truncatingIfNeeded: index / laneCount)
        groups[index / laneCount].start(
            shape, preset, sweep, increment: increment, phases: phases, softness: stroke.softness, setting,
            lane: index % laneCount, at: frame)
    }

    /// Fades a note's newest voice.
    mutating func fade(_ note: Int, at frame: Int64) {
        let index = Int(lanes[note])
        guard index >= 0 else { return }
        lanes[note] = -1
        notes[index] = -1
        guard groups[index / laneCount].envelopes.isLive(index % laneCount) else { return }
        groups[index / laneCount].envelopes.fade(lane: index % laneCount, frames: fadeFrames, at: frame)
    }

    /// Releases a note's newest voice, which was held for this many frames.
    mutating func release(_ note: Int, heldFrames: Int64, at frame: Int64) {
        let index = Int(lanes[note])
        guard index >= 0, groups[index / laneCount].envelopes.isLive(index % laneCount) else { return }
        let seconds = NoteEnvelope.release(contours[note], heldSeconds: Double(heldFrames) / setting.sampleRate)
        groups[index / laneCount].envelopes.release(
            lane: index % laneCount, frames: frames(seconds, sampleRate: setting.sampleRate),
            tail: frames(0.001, sampleRate: setting.sampleRate), at: frame)
    }

    /// Fades all voices.
    mutating func fadeAll(at frame: Int64) {
        for note in 0..<noteCount { fade(note, at: frame) }
    }

    /// Multiplies all frequencies with a factor, those of later notes too.
    mutating func bend(to factor: Double) {
        if factor == bend { return }
        bend = factor
        for group in 0..<PitchedBank.groupCount { groups[group].bend(to: factor) }
    }

    /// Adds the voices to the output.
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var rest = live
        while rest != 0 {
            let group = rest.trailingZeroBitCount
            rest &= rest - 1
            unsafe groups[group].render(adding: output, from: frame, count: count)
            let isLive = groups[group].envelopes.live != 0
            if !isLive { live &= ~(1 << UInt8(truncatingIfNeeded: group)) }
        }
        unsafe remaining.render(adding: output, count: count)
    }

    /// The first free lane; if there is none, because notes come so fast, the quietest fading one, whose rest is faded
    /// separately.
    private mutating func freeLane() -> Int {
        for group in 0..<PitchedBank.groupCount {
            let free = ~groups[group].envelopes.live & 0xf
            if free != 0 { return group * laneCount + free.trailingZeroBitCount }
        }
        var quietest = 0
        var level = Float.infinity
        for index in 0..<PitchedBank.groupCount * laneCount where notes[index] < 0 {
            let value = groups[index / laneCount].envelopes.lanes.values[index % laneCount]
            if value < level { (quietest, level) = (index, value) }
        }
        remaining.add(groups[quietest / laneCount].newest[quietest % laneCount], frames: fadeFrames)
        return quietest
    }
}

/// Four pitched voices of any kind: fading notes may have begun with another preset than the notes that follow.
struct PitchedGroup: ~Copyable {
    var envelopes = LaneEnvelopes()
    /// What each lane added to the newest frame.
    private(set) var newest = Lanes.zero
    private var tables = TablesLanes()
    private var modulated = ModulatedLanes()
    private let reader: TableReader

    init(_ reader: TableReader) {
        self.reader = reader
    }

    /// Ends all voices at once.
    mutating func reset() {
        envelopes.silenceAll()
        newest = .zero
        tables = TablesLanes()
        modulated = ModulatedLanes()
    }

    /// Multiplies all frequencies with a factor.
    mutating func bend(to factor: Double) {
        tables.bend(to: factor)
        modulated.bend(to: factor)
    }

    /// Starts a voice in a lane.
    ///
    /// - Parameters:
    ///   - sweep: The filter's sweep, for a preset that has one.
    ///   - increment: How far the note's phase advances per frame, where 2^32 is a full cycle.
    ///   - phases: How far the oscillators' starts are moved.
    mutating func start(
        _ shape: EnvelopeShape, _ preset: PreparedPreset, _ sweep: PreparedSweep, increment: Double,
        phases: (UInt32, UInt32), softness: Double, _ setting: VoiceSetting, lane: Int, at frame: Int64
    ) {
        let others = ~(1 << UInt8(truncatingIfNeeded: lane)) as UInt8
        tables.keep(only: others)
        modulated.keep(only: others)
        let depth = preset.sway > 0 ? 0.1 * setting.parameters[.sway] : 0
        switch preset.voice {
        case .tables(let voice, _):
            tables.start(voice, sweep, increment: increment, phases: phases, lane: lane)
            tables.sway.start(preset.sway, depth: depth, sampleRate: setting.sampleRate, lane: lane)
        case .modulated(let modulator):
            modulated.start(modulator, increment: increment, phases: phases, softness: softness, setting, lane: lane)
            modulated.sway.start(preset.sway, depth: depth, sampleRate: setting.sampleRate, lane: lane)
        }
        envelopes.start(shape, lane: lane, at: frame)
    }

    /// Adds the voices to the output, `count` frames from `frame` on.
    mutating func render(adding output: UnsafeMutablePointer<Lanes>, from frame: Int64, count: Int) {
        var done = 0
        while let stretch = envelopes.nextStretch(&done, from: frame, count: count) {
            unsafe renderStretch(adding: output + stretch.lowerBound, count: stretch.count)
        }
    }

    private mutating func renderStretch(adding output: UnsafeMutablePointer<Lanes>, count: Int) {
        newest = .zero
        // Voices that have ended must not decide how the others are computed: then a sound would depend on earlier ones.
        tables.keep(only: envelopes.live)
        modulated.keep(only: envelopes.live)
        if tables.owners.bits != 0 {
            unsafe newest += tables.render(&envelopes.lanes, reader, adding: output, count: count)
        }
        if modulated.owners.bits != 0 {
            unsafe newest += modulated.render(&envelopes.lanes, adding: output, count: count)
        }
    }
}
