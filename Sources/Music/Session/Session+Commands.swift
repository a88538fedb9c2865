import Grid
import Instrument
import Music

/// Why a command was refused.
public enum CommandError: Error, Equatable, Sendable {
    /// There is no audio, for this reason.
    case noAudio(String)
    /// A note outside the scale on a pitched track.
    case outOfScale(Track, note: Int)
    /// A step at or beyond the length.
    case beyondLength(step: Int, length: Int)
    /// The tempo follows this source and cannot be set.
    case tempoFollows(SyncSource)
    /// The position follows this source and cannot be set.
    case positionFollows(SyncSource)
    /// The client of this name holds the timeline.
    case timelineHeld(by: String)
    /// There is no kit of this name.
    case unknownKit(String, known: [String])
    /// The client holds this many keys already, the most that it may.
    case tooManyKeys(limit: Int)
    /// The touch is not on the grid.
    case offGrid(x: Double, y: Double)
}

extension Session {
    /// Performs a program's command, which has been applied and published when this returns.
    ///
    /// - Parameter client: Who changes parameters by hand, so that this is an undo step; nil for a controller.
    public func perform(
        _ command: Command, by client: ClientID? = nil, at now: Duration
    ) throws(CommandError) {
        try check(command)
        let (isMoved, recorded) = recordMotions(in: command, at: now)
        if carryOut(command, by: client, except: recorded, at: now) || isMoved { documentChanged(at: now) }
    }

    /// Writes the keys that were played, but not recorded, for a program: those of the last whole pass while the music plays,
    /// else the phrase since the last pause of 2 s.
    ///
    /// - Returns: How many notes were written; 0 if there was nothing to catch.
    public func catchKeys(at now: Duration) -> Int {
        link.poller.expectNotices(from: now)
        link.poller.hurry()
        listen(at: now)
        let (edits, count) = removeCaught(at: now)
        if apply(edits) { documentChanged(at: now) }
        return count
    }

    private func removeCaught(at now: Duration) -> (edits: [DocumentChange], count: Int) {
        catcher.removeCaught(bpm: syncView.bpm, usecs: link.poller.driverUsecs(at: now))
    }

    /// Records how programs and controllers move parameters of armed tracks. Gestures on the grid are not recorded.
    ///
    /// - Returns: Whether the document changed, and the parameters that were recorded.
    private func recordMotions(in command: Command, at now: Duration) -> (Bool, Set<ParameterPlace>) {
        guard transport.record, case .change(let changes) = command else { return (false, []) }
        catchUp(to: now)
        var isMoved = false
        var recorded: Set<ParameterPlace> = []
        for case .set(let parameter, let track?, .number(let value)) in changes
        where parameter.row.motion != nil && document.isOn(.arm, track) {
            guard let step = transportView.heardStep(of: track, at: now) else { continue }
            if recorder.move(parameter, of: track, to: value, on: step, at: now) { isMoved = true }
            recorded.insert(ParameterPlace(parameter: parameter, track: track))
        }
        return (isMoved, recorded)
    }

    /// Carries out a command that ``check(_:)`` has accepted.
    ///
    /// - Parameters:
    ///   - client: Who changes parameters by hand, so that this is an undo step.
    ///   - recorded: Parameters whose changes are steps of motions.
    /// - Returns: Whether the document changed, so that ``documentChanged(at:)`` must publish it.
    func carryOut(
        _ command: Command, by client: ClientID? = nil, except recorded: Set<ParameterPlace> = [], at now: Duration
    ) -> Bool {
        switch command {
        case .change(let changes):
            return apply(offering(steps(of: changes, by: client, except: recorded, at: now)))
        case .setNote(let track, let index, let step, let number, let note):
            let slot = index.map { Slot(track, $0) } ?? document.pattern.playing[track]
            return apply([setting(number, at: step, to: note, in: slot)])
        case .adjustNotes(let track, let index, let step, let note, let values):
            let slot = index.map { Slot(track, $0) } ?? document.pattern.playing[track]
            return apply([adjusting(note, at: step, values, in: slot)])
        case .transport(let request):
            return carryOut(request, at: now)
        case .catchKeys: return apply(removeCaught(at: now).edits)
        case .launch(let request):
            carryOut(request, at: now)
            return true
        case .look(let track, let lens): return lensView.look(at: track, through: lens)
        case .fill(let isOn):
            lensView.fill(isOn)
            settleFill()
            return false
        case .freeze(let track): return apply([freezing(track)])
        case .reset(let track, let lens): return apply([resetting(track, lens)])
        case .tapTempo:
            guard let tempo = tapTempo(at: now) else { return false }
            return apply(offering([.set(.tempo, to: tempo)]))
        }
    }

    /// The changes, those by hand as undo steps where they are some.
    private func steps(
        of changes: [DocumentChange], by client: ClientID?, except recorded: Set<ParameterPlace>, at now: Duration
    ) -> [DocumentChange] {
        guard let client else { return changes }
        return parameterSteps.steps(of: changes, by: client, except: recorded, in: document, at: now)
    }

    /// Sends tempo changes to the timeline's holder, if it drives the music and listens.
    ///
    /// - Returns: The remaining changes.
    private func offering(_ changes: [DocumentChange]) -> [DocumentChange] {
        guard syncView.asksHolder else { return changes }
        return changes.filter { change in
            guard case .set(.tempo, _, .number(let bpm)) = change else { return true }
            syncView.ask(.tempo(bpm))
            return false
        }
    }

    private func check(_ command: Command) throws(CommandError) {
        switch command {
        case .change(let changes):
            if changes.contains(where: \.setsTempo) { try checkTempo() }
            for change in changes { try checkKit(change) }
        case .tapTempo: try checkTempo()
        case .launch, .adjustNotes, .look, .fill, .freeze, .reset, .catchKeys: break
        case .setNote(let track, _, _, let number, let note):
            if track.isPitched, note.velocity != .off, !document.pattern.key.contains(number) {
                throw .outOfScale(track, note: number)
            }
        case .transport(let request): try check(request)
        }
    }

    /// A kit named by a file or in storage may be missing; a newly chosen one must exist.
    private func checkKit(_ change: DocumentChange) throws(CommandError) {
        guard case .set(.kit, _, .choice(let name)) = change, name != document[.kit, .rhythm].name else { return }
        guard kitNames.contains(name) else { throw .unknownKit(name, known: kitNames) }
    }

    private func checkTempo() throws(CommandError) {
        if let source = syncView.tempoSource { throw .tempoFollows(source) }
    }

    private func check(_ request: TransportRequest) throws(CommandError) {
        switch request {
        case .toggle where transportView.isPlaying: break
        case .play, .toggle: if !link.isRunning { throw .noAudio(audio.reason) }
        case .stop, .pause, .record: break
        case .locate(let step):
            let length = document.pattern.length
            guard (0..<length).contains(step) else { throw .beyondLength(step: step, length: length) }
            if let source = syncView.positionSource, source != .jack { throw .positionFollows(source) }
        }
    }

    private func setting(_ number: Int, at step: Int, to note: Note, in slot: Slot) -> DocumentChange {
        // Only what sounds is kept: old sustain cells must not prolong the new note.
        var notes = document.pattern.sounding(slot)
        if slot.track == .melody, note.velocity != .off { notes[step] = StepNotes() }
        notes[step][whole: number] = note
        return .edit([slot: notes])
    }

    private func adjusting(
        _ note: Int?, at step: Int, _ values: [NoteValue: Int], in slot: Slot
    ) -> DocumentChange {
        var notes = document.pattern[slot]
        for note in note.map({ [$0] }) ?? notes[step].heads {
            for (value, number) in values { notes[step][whole: note][value] = number }
        }
        return .edit([slot: notes])
    }
}
