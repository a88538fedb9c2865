import Instrument
import Music
import PixelBoopClient
import TestSupport
import Wire

/// Makes random calls of a client, the same for the same seed.
public struct RandomMusician: Sendable {
    public enum Act: String, CaseIterable, Sendable {
        case transport, tempo, mix, notes, history, motions, slots, lenses, launches, sounds, sources, routes, files

        /// Whether circumstances may make it impossible: there is no JACK server, the key has changed and lacks the
        /// note, or another client deleted the pattern.
        fileprivate var mayBeRefused: Bool { ![.slots, .lenses, .launches, .sounds].contains(self) }
    }

    private var random: SeededGenerator
    private let file: String

    /// - Parameter file: The path for sound exports.
    public init(seed: UInt64, exportingTo file: String) {
        random = SeededGenerator(seed: seed)
        self.file = file
    }

    /// Performs an act.
    ///
    /// - Returns: Whether it was accepted.
    @discardableResult
    public mutating func perform(_ act: Act, at client: PixelBoopClient) async throws -> Bool {
        do {
            switch act {
            case .transport: try await run(client)
            case .tempo: try await sweep(client)
            case .mix: try await mix(client)
            case .notes: try await edit(client)
            case .history: try await reconsider(client)
            case .motions: try await move(client)
            case .slots: try await arrange(client)
            case .lenses: try await look(client)
            case .launches: try await launch(client)
            case .sounds: try await changeSounds(client)
            case .sources: try await follow(client)
            case .routes: try await route(client)
            case .files: try await store(client)
            }
            return true
        } catch ClientError.refused(let refusal) where act.mayBeRefused && refusal.code != .internalError {
            return false
        }
    }

    private mutating func pick(_ count: Int) -> Int { .random(in: 0..<count, using: &random) }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[pick(values.count)] }
    private mutating func happens(once times: Int = 2) -> Bool { pick(times) == 0 }
    private mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    private mutating func track() -> Track { pick(Track.allCases) }
    private mutating func slot() -> Int { 1 + pick(8) }
}

// MARK: Time and mix

extension RandomMusician {
    private mutating func run(_ client: PixelBoopClient) async throws {
        switch pick(8) {
        case 0: try await client.stop()
        case 1: try await client.pause()
        case 2: try await client.toggle()
        case 3, 4: try await client.locate(step: pick(8))
        default: try await client.play()
        }
    }

    private mutating func sweep(_ client: PixelBoopClient) async throws {
        let (start, end) = (number(20...300), number(20...300))
        for part in 0...50 { try await client.setTempo(start + (end - start) * Double(part) / 50) }
        try await client.set(.swing, to: .number(number(0.5...0.75)))
        try await client.set(.length, to: .number(Double(8 + pick(25))))
        if happens() { try await client.tapTempo() }
    }

    private mutating func mix(_ client: PixelBoopClient) async throws {
        for _ in 0..<10 {
            let (isMuted, isSolo) = (happens(), happens(once: 4))
            let (gain, pan) = (number(-60...12), number(-1...1))
            try await client.set(
                track(), [.mute: .toggle(isMuted), .solo: .toggle(isSolo), .gain: .number(gain), .pan: .number(pan)])
        }
    }

    /// Changes the sound of a track, and now and then shared sounds: presets, kits, sends, reverb, delay.
    private mutating func changeSounds(_ client: PixelBoopClient) async throws {
        let track = track()
        var values: [Parameter: ParameterValue] = [:]
        for parameter in Parameter.of(track) where parameter.row.home == .sounds {
            values[parameter] = parameter.row.kind(on: track).value(atController: pick(128))
        }
        if track == .rhythm, happens() { values[.kit] = .choice(pick(try await client.state().state.kits)) }
        try await client.set(track, values)
        for parameter in Parameter.ofWhole where parameter.row.home == .sounds && happens(once: 4) {
            try await client.set(parameter, to: parameter.row.kind().value(atController: pick(128)))
        }
        if happens(once: 20) { _ = try await client.kits(reloading: true) }
    }

    /// Routes notes, turns recording on or off, and binds controllers.
    private mutating func route(_ client: PixelBoopClient) async throws {
        let target = ParameterValue.choice(pick(NoteTarget.allCases))
        try await client.set(track(), [.target: target, .channel: .number(Double(1 + pick(16)))])
        try await client.record(happens())
        let trigger = MidiTrigger(.controller, channel: 1 + pick(16), number: pick(120))
        if happens() {
            try await client.bind(MidiBinding(on: trigger, to: MidiAction("swing.set", value: "swing")))
        } else {
            try await client.unbind(trigger)
        }
    }

    /// Chooses the source of time, and publishes a timeline.
    private mutating func follow(_ client: PixelBoopClient) async throws {
        try await client.setSync([
            .syncSource: .choice(pick(SyncSource.allCases)),
            .syncLead: .selection(SyncLead.allCases.filter { _ in happens(once: 3) }.map(\.name)),
            .syncOffsetIn: .number(Double(pick(2) * (pick(401) - 200))),
            .syncOffsetOut: .number(Double(pick(2) * (pick(401) - 200))),
            .syncLatency: .choice(pick(["none", "compensate"])),
        ])
        let now = try await client.clockTimes().jack
        for _ in 0..<(1 + pick(10)) {
            try await client.holdTimeline(
                beat: Double(pick(200)) / 7 - 4, usecs: now, bpm: number(10...1000),
                isPlaying: pick([true, false, nil]),
                quantum: Double(1 + pick(8)))
        }
        if happens() { try await client.releaseTimeline() }
    }
}

// MARK: What is played

extension RandomMusician {
    private mutating func edit(_ client: PixelBoopClient) async throws {
        let (track, step) = (track(), pick(32))
        let velocity = pick(track == .rhythm ? [.off, .normal, .accent] : Velocity.allCases)
        var values: [NoteValue: Int] = [:]
        for value in NoteValue.allCases where happens() { values[value] = .random(in: value.range, using: &random) }
        if happens(once: 3) { return try await client.adjustNotes(track, step: step, values) }
        try await client.setNote(
            track, step: step, note: pick(12), velocity, slot: pick([nil, slot()]),
            values: velocity.isHead ? values : [:])
    }

    /// Undoes and redoes, starts a new pattern, or changes key, colours, FILL, punch-ins or dice.
    private mutating func reconsider(_ client: PixelBoopClient) async throws {
        switch pick(10) {
        case 0: try await client.undo()
        case 1: try await client.redo()
        case 2: try await happens(once: 4) ? client.newPattern() : client.clearPattern()
        case 3: try await client.set(.scale, to: .choice(pick(Scale.allCases)))
        case 4: try await client.set(.root, to: .choice(PitchClass(pick(12))))
        case 5: try await client.set(.colors, to: .choice(pick(ColorMode.allCases)))
        case 6: try await client.setFill(happens())
        case 7, 8: try await punch(client)
        default: try await client.freezeDice(track())
        }
    }

    private mutating func punch(_ client: PixelBoopClient) async throws {
        let effect = pick(PunchEffect.allCases)
        if happens(once: 3) { return try await client.endPunchIn(effect) }
        try await client.punchIn(effect, amount: number(0...1), on: happens() ? Track.allCases : [track()])
    }

    private mutating func move(_ client: PixelBoopClient) async throws {
        let (track, parameter) = (track(), pick(Parameter.movable))
        if happens(once: 8) {
            return try await client.clearMotion(track, pick([nil, parameter]), slot: pick([nil, slot()]))
        }
        for _ in 0..<4 {
            let value = number(parameter.row.motion ?? 0...0)
            try await client.setMotion(track, parameter, step: pick(32), to: happens(once: 8) ? nil : value)
        }
    }

    /// Gives slots their own lengths and speeds, and copies and clears slots.
    private mutating func arrange(_ client: PixelBoopClient) async throws {
        let (track, slot) = (track(), slot())
        switch pick(6) {
        case 0: try await client.copySlot(track, from: slot, to: self.slot())
        case 1: try await client.clearSlot(track, slot)
        case 2: try await client.setSlot(track, slot, speed: pick(Speed.allCases))
        default: try await client.setSlot(track, pick([nil, slot]), length: pick(33), speed: pick(Speed.allCases))
        }
    }

    private mutating func look(_ client: PixelBoopClient) async throws {
        let (track, lens) = (track(), pick(Lens.allCases))
        if happens(once: 4) { return try await client.resetLens(track, lens) }
        try await client.setLens(track, pick([nil, lens]))
    }

    private mutating func launch(_ client: PixelBoopClient) async throws {
        let (track, moment) = (track(), pick([LaunchMoment.now, .queued]))
        switch pick(8) {
        case 0, 1: try await client.launchSlot(track, slot(), moment)
        case 2, 3: try await client.launchScene(slot(), moment)
        case 4: try await client.chainSlots(track, [slot(), slot()])
        case 5: try await client.chainScenes([slot(), slot(), slot()])
        case 6: try await client.copyScene(from: slot(), to: slot())
        default: try await client.set(.launchQuantum, to: .choice(pick(LaunchQuantum.allCases)))
        }
    }

    private mutating func store(_ client: PixelBoopClient) async throws {
        let name = "pattern \(1 + pick(20))"
        switch pick(8) {
        case 0, 1: try await client.save(name)
        case 2: try await client.load(name)
        case 3: _ = try await client.library()
        case 4: try await client.rename(name, to: "renamed \(1 + pick(5))")
        case 5: try await client.delete(name)
        case 6: _ = try await client.exportMIDI(loops: 1 + pick(4))
        default: _ = try await client.exportWAV(to: file, rate: pick([44100, 48000, 96000]))
        }
    }
}
