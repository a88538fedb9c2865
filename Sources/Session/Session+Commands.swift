import Gestures
import Music

extension Session {
    /// Takes a program's command: applied and published when this returns.
    public func perform(_ command: Command, at now: Duration) throws(CommandError) {
        switch command {
        case .play, .stop, .pause, .toggle, .locate: try performTransport(command, at: now)
        case .setNote(let track, let step, let note, let velocity):
            try setNote(track, step: step, note: note, velocity, at: now)
        case .setPattern(let pattern): change(.replacePattern(pattern), at: now)
        case .clear: change(.edit(Cells()), at: now)
        case .undo: change(.undo, at: now)
        case .redo: change(.redo, at: now)
        default: performSetting(command, at: now)
        }
    }

    private func performTransport(_ command: Command, at now: Duration) throws(CommandError) {
        switch command {
        case .toggle where transport.state == .playing, .stop: stop(at: now)
        case .play, .toggle:
            guard audio.state == .running else { throw .noAudio(audio.reason) }
            start(at: now)
        case .pause: pause(at: now)
        case .locate(let step):
            let length = document.pattern.length
            guard (0..<length).contains(step) else { throw .beyondLength(step: step, length: length) }
            locate(step, at: now)
        default: preconditionFailure("\(command) is no transport command")
        }
    }

    private func performSetting(_ command: Command, at now: Duration) {
        switch command {
        case .setTempo(let tempo): change(.setTempo(tempo), at: now)
        case .tapTempo:
            if let tempo = gestures.tapTempo(at: now) { change(.setTempo(tempo), at: now) }
        case .setScale(let scale): change(.setScale(scale), at: now)
        case .setRoot(let root): change(.setRoot(root), at: now)
        case .setLength(let length): change(.setLength(length), at: now)
        case .setSwing(let swing): change(.setSwing(swing), at: now)
        case .setColorMode(let mode): change(.setColorMode(mode), at: now)
        case .setGhosts(let shown): change(.setGhosts(shown), at: now)
        case .setTrack(let track, let settings): setTrack(track, settings, at: now)
        case .setName(let name): change(.setName(name), at: now)
        default: preconditionFailure("\(command) is no setting")
        }
    }

    private func setTrack(_ track: Track, _ settings: TrackSettings, at now: Duration) {
        if let mute = settings.mute { change(.setMute(track, mute), at: now) }
        if let gain = settings.gain { change(.setGain(track, gain), at: now) }
        if let pan = settings.pan { change(.setPan(track, pan), at: now) }
        switch settings.solo {
        case true?: change(.setSolo(track), at: now)
        case false? where document.mix.solo == track: change(.setSolo(nil), at: now)
        default: break
        }
    }

    private func setNote(
        _ track: Track, step: Int, note: Int, _ velocity: Velocity, at now: Duration
    ) throws(CommandError) {
        if track.isPitched, velocity != .off, !document.pattern.key.contains(note) {
            throw .outOfScale(track, note: note)
        }
        var cells = document.pattern.cells
        if track == .melody, velocity != .off { cells[track, step] = StepNotes() }
        cells[track, note, step] = velocity
        change(.edit(cells), at: now)
    }
}
