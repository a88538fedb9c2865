import Music

/// The notes that keys at the MIDI input, and programs' keys, hold.
///
/// A note is numbered track * 12 + note. It has one voice: a step that starts it, or another key, takes it over, and
/// then the key's release no longer ends it.
struct LiveKeys: ~Copyable {
    /// A note that a key holds.
    struct Held: BitwiseCopyable {
        var source = KeySource.none
        /// The channel whose messages end it, 0 to 15.
        var channel: UInt8 = 0
        /// Whether its voice still belongs to the key.
        var sounds = false
        /// Whether only the pedal holds it.
        var isPedalled = false
        /// The frame on which it began.
        var start: Int64 = 0
    }

    private let held = FixedArray<Held>(count: trackCount * noteCount) { _ in Held() }
    /// Channels, one bit each, whose sustain pedal is down.
    private var pedals: UInt16 = 0
    private var map = NoteMap()
    private var silentTracks = TrackSet()
    private var mutedDrums = DrumSet()
    /// The tracks whose keys are recorded.
    private var armed = TrackSet()
    /// The velocity from which each track's keys are accents.
    private let accentVelocities = FixedArray(count: trackCount) { _ in AccentRule.hard.lowestVelocity }
    /// The tracks whose keys have a loudness for each velocity.
    private var dynamic = TrackSet()
    private(set) var recorder = KeyRecorder()
    private var echoCount: UInt64 = 0
    private var bindings = BoundKeys()
    /// Notes, one bit each, whose voices a key has taken over since ``fetchPressed()`` last returned them.
    private var pressed: UInt64 = 0

    // MARK: Settings

    /// Applies the settings and bindings of a score.
    mutating func apply(_ score: ScoreReader) {
        let parameters = score.parameters
        map.apply(scale: parameters[.scale], root: parameters[.root])
        silentTracks = score.silent
        mutedDrums = parameters.mutedDrums
        armed = TrackSet()
        dynamic = TrackSet()
        for track in 0..<trackCount {
            let values = parameters.of(track)
            if values[.arm] != 0 { armed.insert(track) }
            if values.isDynamic { dynamic.insert(track) }
            accentVelocities[track] = (AccentRule(rawValue: Int(values[.accents])) ?? .hard).lowestVelocity
        }
        bindings = score.bindings
        recorder.patternRevision = score.patternRevision
    }

    /// Whether a note does not sound.
    private func isSilent(_ index: Int) -> Bool {
        let track = index / noteCount
        return silentTracks.contains(track) || track == drumTrack && mutedDrums.contains(index % noteCount)
    }

    /// Fades the keys of tracks and drums that have become silent. They are still held, and recorded when they are released, but
    /// do not sound again when the track does.
    mutating func fadeSilent(_ output: inout EngineOutput, at frame: Int64) {
        for index in 0..<trackCount * noteCount where isSilent(index) {
            guard held[index].sounds else { continue }
            held[index].sounds = false
            output.voices.fade(track: index / noteCount, note: index % noteCount, at: frame)
        }
    }

    mutating func begin(_ cycle: RtCycle) {
        recorder.latency = Int64(cycle.playbackLatency)
    }

    /// How many of our own notes came back since the last call.
    mutating func fetchEchoCount() -> UInt64 {
        defer { echoCount = 0 }
        return echoCount
    }

    /// A note whose voice a key has taken over since the last call.
    mutating func fetchPressed() -> Int? {
        guard pressed != 0 else { return nil }
        let index = pressed.trailingZeroBitCount
        pressed &= pressed - 1
        return index
    }

    // MARK: Messages

    /// Whether a message is one of our own that has come back. If not, what is sent until
    /// ``MidiFeedbackFilter/endRelay()`` is forwarded from it.
    mutating func ignores(_ event: MidiEvent, _ echoes: inout MidiFeedbackFilter, at frame: Int64) -> Bool {
        let place = KeyLedger.LedgerPlace(channel: event.status & 0xf, key: event.first)
        switch event.status & 0xf0 {
        case 0x90 where event.second > 0:
            let isEcho = echoes.ignoresStart(
                of: place, velocity: event.second, provesLoop: isDown(place) || bindings.hasNote(place), at: frame)
            if isEcho { echoCount += 1 }
            return isEcho
        case 0x80, 0x90: return echoes.ignoresEnd(of: place, at: frame)
        default: return echoes.ignores(event, at: frame)
        }
    }

    /// Plays a channel message.
    mutating func play(_ event: MidiEvent, _ moment: KeyMoment, _ output: inout EngineOutput) {
        switch event.status & 0xf0 {
        case 0x90 where event.second > 0: press(event, moment, &output)
        case 0x80, 0x90: release(event, moment, &output)
        case 0xb0: control(event, moment, &output)
        case 0xa0, 0xd0, 0xe0: pass(event, moment.frame, &output)
        case 0xf0 where event.status == 0xff: releaseAll(moment, &output)
        default: break
        }
    }

    /// Forwards a message if a track on its channel sends notes, silent or not.
    private func pass(_ event: MidiEvent, _ frame: Int64, _ output: inout EngineOutput) {
        for track in 0..<trackCount {
            let route = output.voices.routes[track]
            if route.passesInput && route.channel == event.status & 0xf {
                return output.voices.sender.pass(event, at: frame)
            }
        }
    }

    // MARK: Keys

    private mutating func press(
        _ event: MidiEvent, _ moment: KeyMoment, _ output: inout EngineOutput
    ) {
        let place = KeyLedger.LedgerPlace(channel: event.status & 0xf, key: event.first)
        if bindings.hasNote(place) { return }
        for track in 0..<trackCount where output.voices.routes[track].channel == place.channel {
            guard let note = map.note(of: track, key: place.key) else { continue }
            press(
                track, note, KeySource(place), channel: place.channel, velocity: event.second, moment, &output)
        }
    }

    /// Presses a program's key, as one on its track's channel; bindings and echoes do not concern it.
    mutating func press(
        _ key: RtKey, _ moment: KeyMoment, _ output: inout EngineOutput
    ) {
        let track = Int(key.track)
        guard track < trackCount, let note = map.note(of: track, key: key.key) else { return }
        let channel = output.voices.routes[track].channel
        press(track, note, KeySource(key), channel: channel, velocity: key.velocity, moment, &output)
    }

    /// Releases a program's key, or leaves it to the pedal of its channel.
    mutating func release(
        _ key: RtKey, _ moment: KeyMoment, _ output: inout EngineOutput
    ) {
        release(KeySource(key), moment, &output)
    }

    /// Whether a key is pressed, and not only held by the pedal.
    private func isDown(_ place: KeyLedger.LedgerPlace) -> Bool {
        let source = KeySource(place)
        for index in 0..<trackCount * noteCount where held[index].source == source {
            if !held[index].isPedalled { return true }
        }
        return false
    }

    private mutating func press(
        _ track: Int, _ note: Int, _ source: KeySource, channel: UInt8, velocity: UInt8, _ moment: KeyMoment,
        _ output: inout EngineOutput
    ) {
        let index = track * noteCount + note
        end(index, moment, &output)
        let sounds = !isSilent(index)
        let isDynamic = dynamic.contains(track)
        let isAccent = isDynamic || velocity >= accentVelocities[track]
        let decibels = isDynamic ? LiveKeys.decibels(of: velocity) : 0
        if sounds {
            var stroke = Stroke(
                isAccent: isAccent, stepSeconds: moment.stepSeconds(of: track), sustainSteps: 0, isHeld: true)
            stroke.keyDecibels = decibels
            output.voices.start(track: track, note: note, stroke, velocity: velocity, at: moment.frame)
            pressed |= 1 << UInt64(truncatingIfNeeded: index)
        }
        held[index] = Held(source: source, channel: channel, sounds: sounds, start: moment.frame)
        recorder.press(
            index, isAccent: isAccent, level: Int(decibels - 0.5), isHeld: output.voices.isPitched(track),
            isArmed: armed.contains(track), moment, &output)
    }

    /// The gain of a velocity, 1 to 127, in dB: 40 log10(v / 96), at most 0 and at least -24.
    private static func decibels(of velocity: UInt8) -> Double {
        let ratio = max(1, Double(velocity)) / 96
        return ratio >= 1 ? 0 : max(-24, 40 / 2.302_585_092_994_046 * logarithm(ratio))
    }

    private mutating func release(
        _ event: MidiEvent, _ moment: KeyMoment, _ output: inout EngineOutput
    ) {
        let place = KeyLedger.LedgerPlace(channel: event.status & 0xf, key: event.first)
        release(KeySource(place), moment, &output)
    }

    private mutating func release(
        _ source: KeySource, _ moment: KeyMoment, _ output: inout EngineOutput
    ) {
        for index in 0..<trackCount * noteCount where held[index].source == source {
            letGo(index, of: held[index].channel, moment, &output)
        }
    }

    /// Releases a note, or leaves it to the channel's pedal.
    private mutating func letGo(
        _ index: Int, of channel: UInt8, _ moment: KeyMoment, _ output: inout EngineOutput
    ) {
        if pedals >> UInt16(channel) & 1 == 1 {
            held[index].isPedalled = true
        } else {
            release(index, moment, &output)
        }
    }

    /// Releases a note that a key holds.
    private mutating func release(
        _ index: Int, _ moment: KeyMoment, _ output: inout EngineOutput
    ) {
        let note = held[index]
        guard note.source != .none else { return }
        if note.sounds {
            output.voices.release(
                track: index / noteCount, note: index % noteCount, heldSince: note.start, at: moment.frame)
        }
        end(index, moment, &output)
    }

    /// Ends a key's note.
    private mutating func end(_ index: Int, _ moment: KeyMoment, _ output: inout EngineOutput) {
        guard held[index].source != .none else { return }
        held[index] = Held()
        recorder.release(index, moment, &output)
    }

    /// Releases all notes.
    mutating func releaseAll(_ moment: KeyMoment, _ output: inout EngineOutput) {
        pedals = 0
        releaseKeys(moment, &output)
    }

    /// Releases all notes; the pedals stay as they are, as the feet do.
    private mutating func releaseKeys(_ moment: KeyMoment, _ output: inout EngineOutput) {
        for index in 0..<trackCount * noteCount { release(index, moment, &output) }
    }

    /// All voices have been cut off: the keys no longer hold notes.
    mutating func cut(_ moment: KeyMoment, _ output: inout EngineOutput) {
        for index in 0..<trackCount * noteCount { end(index, moment, &output) }
        recorder.forgetAnticipated()
    }

    /// Ends all keys' notes, as their senders are gone.
    mutating func endAll(_ moment: KeyMoment, _ output: inout EngineOutput) {
        pedals = 0
        cut(moment, &output)
    }

    /// A note's voice plays something else: the key's release must not end it.
    mutating func lose(track: Int, note: Int) {
        held[track * noteCount + note].sounds = false
    }

    // MARK: Controllers

    private mutating func control(
        _ event: MidiEvent, _ moment: KeyMoment, _ output: inout EngineOutput
    ) {
        let channel = event.status & 0xf
        // A pedal may have been down when it was bound.
        let isPedalUp = event.first == 64 && event.second < 64
        if bindings.hasController(KeyLedger.LedgerPlace(channel: channel, key: event.first)) && !isPedalUp { return }
        switch event.first {
        case 64: movePedal(of: channel, isDown: event.second >= 64, moment, &output)
        case 121: movePedal(of: channel, isDown: false, moment, &output)
        case 120, 123...127:
            for index in 0..<trackCount * noteCount where holds(index, channel: channel) {
                if event.first == 120 {
                    release(index, moment, &output)
                } else {
                    letGo(index, of: channel, moment, &output)
                }
            }
        case 0..<120: pass(event, moment.frame, &output)
        default: break
        }
    }

    private func holds(_ index: Int, channel: UInt8) -> Bool {
        held[index].source != .none && held[index].channel == channel
    }

    private mutating func movePedal(
        of channel: UInt8, isDown: Bool, _ moment: KeyMoment, _ output: inout EngineOutput
    ) {
        let bit: UInt16 = 1 << UInt16(channel)
        pedals = isDown ? pedals | bit : pedals & ~bit
        if isDown { return }
        for index in 0..<trackCount * noteCount where holds(index, channel: channel) {
            if held[index].isPedalled { release(index, moment, &output) }
        }
    }

    // MARK: Recording

    /// Starts or stops recording.
    mutating func record(_ isOn: Bool, _ moment: KeyMoment, _ output: inout EngineOutput) {
        if !isOn { releaseKeys(moment, &output) }
        recorder.isArmed = isOn
    }

    /// Whether a note that is due with a track's step, counted from the song's start, has already been played by hand.
    mutating func hasPlayed(track: Int, note: Int, count: Int64) -> Bool {
        recorder.hasPlayed(track * noteCount + note, count: count)
    }

    /// The counts of a track's steps change.
    mutating func forgetPlayed(on track: Int) { recorder.forgetAnticipated(on: track) }
}

/// Which keys of a track are accents; the raw values are the indices of the choices of `Parameter.accents`.
enum AccentRule: Int, CaseIterable {
    case hard
    case all
    case none

    /// The velocity from which a key is an accent; 128 for none.
    var lowestVelocity: UInt8 {
        switch self {
        case .hard: 96
        case .all: 0
        case .none: 128
        }
    }
}

extension LiveKeys {
    /// What is remembered while everything is silent, but for what follows from the score.
    struct Memory: BitwiseCopyable {
        var held: PerVoice<Held>
        var pedals: UInt16
        var recorder: KeyRecorder.Memory
        var pressed: UInt64
    }

    func copy(into memory: inout Memory) {
        held.copy(into: &memory.held)
        (memory.pedals, memory.pressed) = (pedals, pressed)
        recorder.copy(into: &memory.recorder)
    }

    mutating func restore(_ memory: Memory) {
        held.restore(memory.held)
        (pedals, pressed) = (memory.pedals, memory.pressed)
        recorder.restore(memory.recorder)
    }
}
