import Music

/// Everything that makes sound, track by track.
struct VoiceSet: ~Copyable {
    private let place = Pinned()
    /// Where a track's voices are: the index of a bank of its kind.
    enum Place: BitwiseCopyable {
        case pitched(Int)
        case drums(Int)
    }

    private let places: FixedArray<Place>
    private var pitched: FixedArray<PitchedBank>
    private var drums: FixedArray<DrumBank>
    private let mix = LaneMix()
    private var blockers: FixedArray<DCBlocker>
    private let blocksDirectCurrent: PerTrack<Bool> = InlineArray { TrackLayout.all[$0].blocksDirectCurrent }
    let sampleRate: Double
    private let parameters: FixedArray<TrackParameters>
    private var tones = PerTrack(repeating: MovedTone())
    /// Whether there was a kick since it was last read.
    private var isKicked = false

    /// Sends notes to the MIDI output.
    var sender = NoteSender()
    /// Where the notes of each track go.
    var routes = FixedArray(count: trackCount) { _ in NoteRoute() }
    let keys = VoiceSet.midiKeys()
    /// The highest velocity of each track whose own voices are silent, until it is reported.
    var loudest = PerTrack<UInt8>(repeating: 0)

    /// Silent voices of all tracks.
    init(tables: WavetableSet, _ parameters: borrowing LiveParameters, sampleRate: Double) {
        var places: [Place] = []
        var pitched: [(lowestPitch: Int, presets: [PitchedPreset], setting: VoiceSetting)] = []
        var drums: [VoiceSetting] = []
        for (index, track) in TrackLayout.all.enumerated() {
            let setting = VoiceSetting(sampleRate: sampleRate, parameters: parameters.of(index))
            switch track.kind {
            case .pitched(let lowestPitch, let presets):
                places.append(.pitched(pitched.count))
                pitched.append((lowestPitch, presets, setting))
            case .drums:
                places.append(.drums(drums.count))
                drums.append(setting)
            }
        }
        self.sampleRate = sampleRate
        self.places = FixedArray(count: places.count) { places[$0] }
        self.pitched = FixedArray(count: pitched.count) {
            PitchedBank(pitched[$0].presets, lowestPitch: pitched[$0].lowestPitch, tables, pitched[$0].setting)
        }
        self.drums = FixedArray(count: drums.count) { DrumBank(tables, drums[$0]) }
        blockers = FixedArray(count: trackCount) { _ in DCBlocker(sampleRate: sampleRate) }
        let tracks = (0..<trackCount).map { parameters.of($0) }
        self.parameters = FixedArray(count: trackCount) { tracks[$0] }
        apply(parameters)
    }

    /// Sets the parameters of the next notes of all tracks; sounding notes keep theirs.
    mutating func apply(_ parameters: borrowing LiveParameters) {
        for track in 0..<trackCount {
            apply(VoiceSetting(sampleRate: sampleRate, parameters: parameters.of(track)), on: track)
            tones[track].isNew = tones[track].semitones != nil
        }
    }

    private mutating func apply(_ setting: VoiceSetting, on track: Int) {
        switch unsafe places.elements[track] {
        case .pitched(let bank): unsafe pitched.elements[bank].apply(setting)
        case .drums(let bank): unsafe drums.elements[bank].apply(setting)
        }
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
        let parameters = unsafe parameters.elements[track]
        let semitones = tones[track].semitones ?? parameters[.tone]
        apply(VoiceSetting(sampleRate: sampleRate, parameters: parameters, semitones: semitones), on: track)
    }

    /// Sets the samples of the next hits.
    mutating func apply(_ samples: SampleReference) {
        for track in 0..<trackCount {
            if case .drums(let bank) = unsafe places.elements[track] { unsafe drums.elements[bank].apply(samples) }
        }
    }

    /// The oldest generation of samples that is or may still be played.
    var oldestSamples: Int {
        var oldest = Int.max
        for track in 0..<trackCount {
            if case .drums(let bank) = unsafe places.elements[track] {
                oldest = unsafe min(oldest, drums.elements[bank].oldestSamples)
            }
        }
        return oldest
    }

    private func isSilent(_ track: Int) -> Bool {
        guard unsafe blockers.elements[track].isSilent else { return false }
        return switch unsafe places.elements[track] {
        case .pitched(let bank): unsafe pitched.elements[bank].isSilent
        case .drums(let bank): unsafe drums.elements[bank].isSilent
        }
    }

    /// Whether a track's notes last as long as their sustain cells.
    func holdsNotes(of track: Int) -> Bool {
        if case .pitched = unsafe places.elements[track] { true } else { false }
    }

    /// Starts a note of a track.
    ///
    /// - Parameter velocity: The velocity with which it is sent; 0 for the track's.
    mutating func start(track: Int, note: Int, _ stroke: Stroke, velocity: UInt8 = 0, at frame: Int64) {
        press(track: track, note: note, stroke, velocity: velocity, at: frame)
        if case .drums = unsafe places.elements[track], note < VoiceSet.kickCount { isKicked = true }
        guard unsafe routes.elements[track].playsVoices else { return }
        settleTone(of: track)
        switch unsafe places.elements[track] {
        case .pitched(let bank): unsafe pitched.elements[bank].start(note, stroke, at: frame)
        case .drums(let bank): unsafe drums.elements[bank].start(note, stroke, at: frame)
        }
    }

    /// How many drums duck the other tracks; they come first.
    private static var kickCount: Int { 2 }

    /// Whether there was a kick since the last call.
    mutating func takeKick() -> Bool {
        defer { isKicked = false }
        return isKicked
    }

    mutating func fade(track: Int, note: Int, at frame: Int64) {
        sender.stop(track * noteCount + note, at: frame)
        switch unsafe places.elements[track] {
        case .pitched(let bank): unsafe pitched.elements[bank].fade(note, at: frame)
        case .drums(let bank): unsafe drums.elements[bank].fade(note, at: frame)
        }
    }

    /// Releases a note of a track that was held since a frame; drums ring out.
    mutating func release(track: Int, note: Int, heldSince start: Int64, at frame: Int64) {
        sender.stop(track * noteCount + note, at: frame)
        if case .pitched(let bank) = unsafe places.elements[track] {
            unsafe pitched.elements[bank].release(note, heldFrames: frame - start, at: frame)
        }
    }

    mutating func fadeAll(at frame: Int64) {
        sender.stopAll(at: frame)
        for track in 0..<trackCount { fadeVoices(of: track, at: frame) }
    }

    mutating func fadeVoices(of track: Int, at frame: Int64) {
        switch unsafe places.elements[track] {
        case .pitched(let bank): unsafe pitched.elements[bank].fadeAll(at: frame)
        case .drums(let bank): unsafe drums.elements[bank].fadeAll(at: frame)
        }
    }

    /// Writes the sound of every track that is not silent to its buffer, from an offset in the period, and adds the
    /// track to `sounding`.
    mutating func render(_ ports: RtPorts, offset: Int, from frame: Int64, count: Int, sounding: inout TrackSet) {
        for track in 0..<trackCount where !isSilent(track) {
            sounding.insert(track)
            unsafe render(track, into: ports.track(track) + offset, from: frame, count: count)
        }
    }

    private mutating func render(
        _ track: Int, into output: UnsafeMutablePointer<Float>, from frame: Int64, count: Int
    ) {
        var done = 0
        while done < count {
            let block = LaneMix.blockLength(of: count - done)
            let lanes = unsafe mix.start(count: block)
            let start = frame + Int64(done)
            switch unsafe places.elements[track] {
            case .pitched(let bank):
                unsafe pitched.elements[bank].render(adding: lanes, from: start, count: block)
            case .drums(let bank): unsafe drums.elements[bank].render(adding: lanes, from: start, count: block)
            }
            unsafe mix.finish(output + done, count: block)
            if blocksDirectCurrent[track] { unsafe blockers.elements[track].filter(output + done, count: block) }
            done += block
        }
    }
}

/// The tone of a track's next note if the tone moves; applied only when there is a note.
private struct MovedTone: BitwiseCopyable {
    /// Nil for the parameter's.
    var semitones: Double?
    /// Whether the voices have yet to be prepared for it.
    var isNew = false
}

/// Adds up a track's voices lane by lane, so that they are summed across the lanes only once.
struct LaneMix: ~Copyable {
    /// Frames at a time; few enough to stay in the first-level cache.
    static func blockLength(of count: Int) -> Int { min(count, 128) }

    private let lanes = FixedArray<Lanes>(count: LaneMix.blockLength(of: .max)) { _ in .zero }

    /// Where groups add their voices for the next block; silent at first.
    func start(count: Int) -> UnsafeMutablePointer<Lanes> {
        unsafe lanes.elements.update(repeating: .zero, count: count)
        return unsafe lanes.elements
    }

    /// Writes the sum of the block's voices.
    func finish(_ output: UnsafeMutablePointer<Float>, count: Int) {
        for frame in 0..<count { unsafe output[frame] = lanes.elements[frame].total }
    }
}

// Notes are sent to the MIDI output as well as to the voices, or instead: whatever starts, ends or cuts off a voice
// does the same to the key.

extension VoiceSet {
    /// The MIDI keys of all notes, by track * 12 + note.
    static func midiKeys() -> FixedArray<UInt8> {
        FixedArray(count: trackCount * noteCount) { index in
            UInt8(TrackLayout.all[index / noteCount].midiKey(of: index % noteCount))
        }
    }

    /// Applies new routes from a frame on.
    mutating func apply(routes parameters: borrowing LiveParameters, silent: TrackSet, at frame: Int64) {
        for track in 0..<trackCount {
            let new = NoteRoute(parameters.of(track), isSilent: silent.contains(track))
            let old = unsafe routes.elements[track]
            unsafe routes.elements[track] = new
            if old.sendsKeys && (!new.sendsKeys || new.channel != old.channel) { sender.stop(track: track, at: frame) }
            if old.playsVoices && !new.playsVoices { fadeVoices(of: track, at: frame) }
        }
    }

    /// Presses a note's key if its track sends notes.
    mutating func press(track: Int, note: Int, _ stroke: Stroke, velocity: UInt8, at frame: Int64) {
        let route = unsafe routes.elements[track]
        guard route.sendsKeys else { return }
        let velocity = velocity > 0 ? velocity : route.velocity(of: stroke)
        let end = stroke.isHeld ? .max : frame + Int64(heldFrames(of: track, stroke))
        unsafe sender.start(
            track * noteCount + note, channel: route.channel, key: keys.elements[track * noteCount + note],
            velocity: velocity, end: end, isAtOnce: stroke.isHeld, at: frame)
        if !route.playsVoices { loudest[track] = max(loudest[track], velocity) }
    }

    /// Frames from a note's start to its release, as in a voice of the first preset; half a step for drums.
    private func heldFrames(of track: Int, _ stroke: Stroke) -> Int {
        guard holdsNotes(of: track) else {
            return frames(stroke.seconds(of: 0.5 * stroke.stepSeconds), sampleRate: sampleRate)
        }
        let seconds = NoteEnvelope.length(of: stroke)
        return frames(seconds, sampleRate: sampleRate) - frames(min(0.3 * seconds, 0.15), sampleRate: sampleRate)
    }

    /// Reports the loudest keys of tracks whose own voices are silent.
    mutating func reportKeys(to peaks: borrowing TrackPeaks) {
        for track in 0..<trackCount where loudest[track] > 0 {
            peaks.report(Float(loudest[track]) / 127, track: track)
            loudest[track] = 0
        }
    }
}
