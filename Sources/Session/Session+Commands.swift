import Gestures
import Music

extension Session {
    /// Takes a program's command: applied and published when this returns.
    public func perform(_ command: Command, at now: Duration) throws(CommandError) {
        try check(command)
        if carryOut(command, at: now) { documentChanged(at: now) }
    }

    /// Carries out a command that ``check(_:)`` lets pass.
    ///
    /// - Returns: Whether the document is another one now, which ``documentChanged(at:)`` is to publish.
    func carryOut(_ command: Command, at now: Duration) -> Bool {
        switch command {
        case .change(let changes): return apply(offering(changes))
        case .setNote(let track, let index, let step, let note, let velocity):
            let slot = Slot(track, index ?? document.pattern.playing[track])
            return apply([setting(note, at: step, to: velocity, in: slot)])
        case .transport(let request):
            carryOut(request, at: now)
            return false
        case .launch(let request):
            carryOut(request, at: now)
            return true
        case .tapTempo:
            guard let tempo = gestures.tapTempo(at: now) else { return false }
            return apply(offering([.set(.tempo, to: .number(tempo.bpm))]))
        }
    }

    /// Offers tempos to the holder of the timeline, if that drives the music.
    ///
    /// - Returns: The changes that are ours to make.
    private func offering(_ changes: [DocumentChange]) -> [DocumentChange] {
        guard asksHolder else { return changes }
        return changes.filter { change in
            guard case .set(.tempo, _, .number(let bpm)) = change else { return true }
            ask(.tempo(bpm))
            return false
        }
    }

    private func carryOut(_ request: TransportRequest, at now: Duration) {
        switch request {
        case .play: start(at: now)
        case .stop: stop(at: now)
        case .pause: pause(at: now)
        case .toggle: transport.state == .playing ? stop(at: now) : start(at: now)
        case .locate(let step): locate(step, at: now)
        case .record(let isOn): record(isOn, at: now)
        }
        settleLaunches(at: now)
    }

    private func check(_ command: Command) throws(CommandError) {
        switch command {
        case .change(let changes):
            if changes.contains(where: \.setsTempo) { try checkTempo() }
            for change in changes { try checkKit(change) }
        case .tapTempo: try checkTempo()
        case .launch: break
        case .setNote(let track, _, _, let note, let velocity):
            if track.isPitched, velocity != .off, !document.pattern.key.contains(note) {
                throw .outOfScale(track, note: note)
            }
        case .transport(let request): try check(request)
        }
    }

    /// A kit that a file or the journal names may be missing; one that is chosen must be there.
    private func checkKit(_ change: DocumentChange) throws(CommandError) {
        guard case .set(.kit, _, .choice(let name)) = change, name != document[.kit, .rhythm].name else { return }
        guard kitNames.contains(name) else { throw .unknownKit(name, known: kitNames) }
    }

    private func checkTempo() throws(CommandError) {
        if let tempoSource { throw .tempoFollows(tempoSource) }
    }

    private func check(_ request: TransportRequest) throws(CommandError) {
        switch request {
        case .toggle where transport.state == .playing: break
        case .play, .toggle: if audio.state != .running { throw .noAudio(audio.reason) }
        case .stop, .pause, .record: break
        case .locate(let step):
            let length = document.pattern.length
            guard (0..<length).contains(step) else { throw .beyondLength(step: step, length: length) }
            if let positionSource, positionSource != .jack { throw .positionFollows(positionSource) }
        }
    }

    private func setting(_ note: Int, at step: Int, to velocity: Velocity, in slot: Slot) -> DocumentChange {
        var notes = document.pattern[slot]
        if slot.track == .melody, velocity != .off { notes[step] = StepNotes() }
        notes[step][note] = velocity
        return .editSlots([slot: notes])
    }
}

extension DocumentChange {
    fileprivate var setsTempo: Bool { if case .set(.tempo, _, _) = self { true } else { false } }
}
