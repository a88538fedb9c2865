import Music

/// Everything that makes sound, track by track.
struct VoiceSet: ~Copyable {
    private let place = Pinned()
    /// The banks of the pitched tracks, which are the first; the last track's drums.
    private var pitched: FixedArray<PitchedBank>
    private var drums: DrumBank
    private let mix = LaneMix()
    private let sideMix = LaneMix()
    /// What each track's voices pass on their way into the mix.
    let strips: FixedArray<Strip>
    let sampleRate: Double
    private let parameters: FixedArray<TrackParameters>
    private var tones = PerTrack(repeating: MovedTone())
    /// What drift is made of.
    private var dice: Dice
    /// Starts by hand since the music began to play.
    private var handCount: Int64 = 0
    /// Whether there was a kick since it was last read.
    private var isKicked = false
    /// How many notes have started since the engine was made; wraps around.
    private(set) var startCount: UInt32 = 0

    /// Sends notes to the MIDI output.
    var sender = NoteSender()
    /// Where the notes of each track go.
    var routes = FixedArray(count: trackCount) { _ in NoteRoute() }
    let keys = VoiceSet.midiKeys()
    /// The highest velocity of each track whose own voices are silent, until it is reported.
    var loudest = PerTrack<UInt8>(repeating: 0)

    /// Silent voices of all tracks.
    ///
    /// - Parameter metal: Nil for voices that are never played.
    init(tables: WavetableSet, _ metal: MetalSet?, _ parameters: LiveParameters, sampleRate: Double) {
        self.init(new: tables, metal, parameters, sampleRate: sampleRate)
        apply(parameters)
    }

    // With Swift 6.2, an initialiser of a structure that cannot be copied may call mutating functions only if it calls another
    // initialiser: so here, and in other parts of the engine.
    private init(new tables: WavetableSet, _ metal: MetalSet?, _ parameters: LiveParameters, sampleRate: Double) {
        self.sampleRate = sampleRate
        dice = Dice(seed: parameters[.diceSeed])
        let tracks = (0..<trackCount).map { parameters.of($0) }
        let settings = tracks.map { VoiceSetting(sampleRate: sampleRate, parameters: $0) }
        pitched = FixedArray(count: trackCount - 1) { track in
            guard case .pitched(let lowestPitch, let presets) = TrackLayout.all[track].kind else {
                fatalError("drums are the last track")
            }
            return PitchedBank(presets, lowestPitch: lowestPitch, tables, settings[track])
        }
        drums = DrumBank(tables, metal, settings[trackCount - 1])
        strips = FixedArray(count: trackCount) { Strip($0, sampleRate: sampleRate, isPlayed: metal != nil) }
        self.parameters = FixedArray(count: trackCount) { tracks[$0] }
    }

    /// Sets the parameters of the next notes of all tracks; sounding notes keep theirs.
    mutating func apply(_ parameters: LiveParameters) {
        dice = Dice(seed: parameters[.diceSeed])
        for track in 0..<trackCount {
            self.parameters[track] = parameters.of(track)
            apply(VoiceSetting(sampleRate: sampleRate, parameters: parameters.of(track)), on: track)
            tones[track].isNew = tones[track].semitones != nil
        }
    }

    private mutating func apply(_ setting: VoiceSetting, on track: Int) {
        if isPitched(track) { pitched[track].apply(setting) } else { drums.apply(setting) }
    }

    /// Sets the tone of a track's next notes in semitones; nil for the parameter's.
    mutating func moveTone(of track: Int, to semitones: Double?) {
        if semitones == tones[track].semitones { return }
        tones[track] = MovedTone(semitones: semitones, isNew: true)
    }

    /// Prepares a track for its next note.
    private mutating func settleTone(of track: Int) {
        guard tones[track].isNew else { return }
        tones[track].isNew = false
        let parameters = parameters[track]
        let semitones = tones[track].semitones ?? parameters[.tone]
        apply(VoiceSetting(sampleRate: sampleRate, parameters: parameters, semitones: semitones), on: track)
    }

    /// Sets the samples of the next hits.
    mutating func apply(_ samples: SampleReference) { drums.apply(samples) }

    /// The oldest generation of samples that is or may still be played.
    var oldestSamples: Int { drums.oldestSamples }

    private func isSilent(_ track: Int) -> Bool { strips[track].isResting && hasSilentVoices(track) }

    private func hasSilentVoices(_ track: Int) -> Bool {
        isPitched(track) ? pitched[track].isSilent : drums.isSilent
    }

    /// Whether no track would sound if there were no punch-ins: they never change how music starts.
    private var isSilentWithoutPunchIns: Bool {
        for track in 0..<trackCount {
            guard strips[track].restsWithoutPunchIns, hasSilentVoices(track) else { return false }
        }
        return true
    }

    /// Whether no track sounds, and all are as new ones from a frame on.
    func isAsNew(at frame: Int64) -> Bool {
        for track in 0..<trackCount {
            guard hasSilentVoices(track), strips[track].isAsNew(at: frame) else { return false }
        }
        return true
    }

    /// Forgets all sound. What is remembered while nothing sounds stays: parameters, levels, keys, counts.
    mutating func resetSound() {
        for track in 0..<pitched.count { pitched[track].reset() }
        drums.reset()
        for track in 0..<trackCount { strips[track].reset() }
    }

    /// Music starts. If nothing sounds, what depends on earlier sound begins anew, so that the music sounds as from new
    /// voices.
    ///
    /// - Returns: Whether nothing sounded.
    mutating func beginMusic() -> Bool {
        handCount = 0
        guard isSilentWithoutPunchIns else { return false }
        drums.beginAnew()
        for track in 0..<trackCount { strips[track].beginAnew() }
        return true
    }

    /// Whether a track's notes are pitches, which last as long as their sustain cells.
    func isPitched(_ track: Int) -> Bool { track < pitched.count }

    /// Starts a note of a track.
    ///
    /// - Parameter velocity: The velocity with which it is sent; 0 for the track's.
    mutating func start(track: Int, note: Int, _ stroke: Stroke, velocity: UInt8 = 0, at frame: Int64) {
        startCount &+= 1
        press(track: track, note: note, stroke, velocity: velocity, at: frame)
        if !isPitched(track), note < VoiceSet.kickCount { isKicked = true }
        guard routes[track].playsVoices else { return }
        settleTone(of: track)
        let stroke = drifting(stroke, track: track, note: note)
        if isPitched(track) {
            pitched[track].start(note, stroke, at: frame)
        } else {
            drums.start(note, stroke, at: frame)
        }
    }

    /// A stroke with what the track's parameters add to it.
    private mutating func drifting(_ stroke: Stroke, track: Int, note: Int) -> Stroke {
        let parameters = unsafe parameters.elements[track]
        var stroke = stroke
        stroke.isDynamic = parameters.isDynamic
        let amount = parameters[.drift]
        if stroke.count == nil { handCount += 1 }
        guard amount > 0 else { return stroke }
        let count = stroke.count ?? handCount - 1
        stroke.drift = Drift(
            amount: amount, dice.draws(count: count, track: track, note: note, ratchet: stroke.ratchet.index))
        return stroke
    }

    /// How many drums duck the other tracks; they come first.
    private static var kickCount: Int { 2 }

    /// Whether there was a kick since the last call.
    mutating func fetchKick() -> Bool {
        defer { isKicked = false }
        return isKicked
    }

    /// Cuts a note off: its voice fades within ``Fade/seconds``, and its key goes up.
    mutating func fade(track: Int, note: Int, at frame: Int64) {
        sender.stop(track * noteCount + note, at: frame)
        if isPitched(track) {
            pitched[track].fade(note, at: frame)
        } else {
            drums.fade(note, at: frame)
        }
    }

    /// Releases a note of a track that was held since a frame; drums ring out.
    mutating func release(track: Int, note: Int, heldSince start: Int64, at frame: Int64) {
        sender.stop(track * noteCount + note, at: frame)
        if isPitched(track) { pitched[track].release(note, heldFrames: frame - start, at: frame) }
    }

    /// Cuts all notes of all tracks off.
    mutating func fadeAll(at frame: Int64) {
        sender.stopAll(at: frame)
        for track in 0..<trackCount { fadeVoices(of: track, at: frame) }
    }

    /// Fades a track's voices; its keys stay down.
    mutating func fadeVoices(of track: Int, at frame: Int64) {
        if isPitched(track) { pitched[track].fadeAll(at: frame) } else { drums.fadeAll(at: frame) }
    }

    /// Writes the sum of a track's voices into a stretch, which holds silence.
    ///
    /// - Parameter bends: How the frequencies are bent.
    /// - Returns: Whether the track sounds: its voices, or what its strip still holds.
    mutating func render(_ track: Int, _ stretch: Stretch, _ bends: borrowing PitchBends) -> Bool {
        if isSilent(track) { return false }
        let lanes = unsafe mix.start(count: stretch.count)
        let sideLanes = unsafe stretch.side == nil ? nil : sideMix.start(count: stretch.count)
        var (done, index) = (0, 0)
        while done < stretch.count {
            let part = bends.part(of: stretch, from: done)
            unsafe render(
                track, bend: bends.factor(index), adding: lanes + done, side: sideLanes.map { unsafe $0 + done },
                from: stretch.frame + Int64(done), count: part)
            done += part
            index += 1
        }
        unsafe mix.finish(stretch.mid, count: stretch.count)
        if let side = unsafe stretch.side { unsafe sideMix.finish(side, count: stretch.count) }
        return true
    }

    private mutating func render(
        _ track: Int, bend: Double, adding lanes: UnsafeMutablePointer<Lanes>, side: UnsafeMutablePointer<Lanes>?,
        from frame: Int64, count: Int
    ) {
        if isPitched(track) {
            pitched[track].bend(to: bend)
            unsafe pitched[track].render(adding: lanes, from: frame, count: count)
        } else {
            drums.bend(to: bend)
            unsafe drums.render(adding: lanes, side: side, from: frame, count: count)
        }
    }
}

/// The tone of a track's next note if the tone moves; applied only when there is a note.
struct MovedTone: BitwiseCopyable {
    /// Nil for the parameter's.
    var semitones: Double?
    /// Whether the voices have yet to be prepared for it.
    var isNew = false
}

/// Adds up a track's voices lane by lane, so that they are summed across the lanes only once.
struct LaneMix: ~Copyable {
    private let lanes = FixedArray<Lanes>(count: Stretch.longest) { _ in .zero }

    /// Where groups add their voices for the next stretch; silent at first.
    func start(count: Int) -> UnsafeMutablePointer<Lanes> {
        unsafe lanes.elements.update(repeating: .zero, count: count)
        return unsafe lanes.elements
    }

    /// Writes the sum of the stretch's voices.
    func finish(_ output: UnsafeMutablePointer<Float>, count: Int) {
        for frame in 0..<count { unsafe output[frame] = lanes.elements[frame].total }
    }
}

// MARK: Control memory

extension VoiceSet {
    /// What is remembered while everything is silent, but for what follows from the score.
    struct Memory: BitwiseCopyable {
        var tones: PerTrack<MovedTone>
        var handCount: Int64
        var hitCount: UInt32
        var isKicked: Bool
        var routes: PerTrack<NoteRoute>
        var strips: PerTrack<Strip.Memory>
        var sender: NoteSender.Memory
    }

    func copy(into memory: inout Memory) {
        (memory.tones, memory.handCount, memory.hitCount) = (tones, handCount, drums.hitCount)
        memory.isKicked = isKicked
        routes.copy(into: &memory.routes)
        for track in 0..<trackCount { strips[track].copy(into: &memory.strips[track]) }
        sender.copy(into: &memory.sender)
    }

    /// - Parameter parameters: Those that had been applied.
    mutating func restore(_ memory: Memory, _ parameters: LiveParameters) {
        resetSound()
        apply(parameters)
        (handCount, drums.hitCount, isKicked) = (memory.handCount, memory.hitCount, memory.isKicked)
        for track in 0..<trackCount {
            tones[track] = memory.tones[track]
            // The voices are now prepared for the parameter's.
            if tones[track].semitones != nil { tones[track].isNew = true }
            routes[track] = memory.routes[track]
            strips[track].restore(memory.strips[track])
            loudest[track] = 0
        }
        sender.restore(memory.sender)
    }
}
