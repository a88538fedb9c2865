import Engine
import Gestures
import Music

extension Session {
    /// Takes a program's command: applied and published when this returns.
    public func perform(_ command: Command, at now: Duration) throws(CommandError) {
        switch command {
        case .play, .stop, .pause, .toggle, .locate: try performTransport(command, at: now)
        case .setNote(let track, let step, let note, let velocity):
            try setNote(track, step: step, note: note, velocity, at: now)
        case .setPattern(let pattern): edit(at: now) { $0.replacePattern(pattern) }
        case .clear: edit(at: now) { $0.edit(Cells()) }
        case .undo: edit(at: now) { $0.undo() }
        case .redo: edit(at: now) { $0.redo() }
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
        case .setTempo(let tempo): change(at: now) { $0.setTempo(tempo) }
        case .tapTempo:
            if let tempo = gestures.tapTempo(at: now) { change(at: now) { $0.setTempo(tempo) } }
        case .setScale(let scale): change(at: now) { $0.setScale(scale) }
        case .setRoot(let root): change(at: now) { $0.setRoot(root) }
        case .setLength(let length): setLength(length, at: now)
        case .setSwing(let swing): change(at: now) { $0.setSwing(swing) }
        case .setColorMode(let mode): change(at: now) { $0.colorMode = mode }
        case .setGhosts(let shown): change(at: now) { $0.showsGhosts = shown }
        case .setTrack(let track, let settings): change(at: now) { $0.mix.apply(settings, to: track) }
        case .setName(let name): change(at: now) { $0.setName(name) }
        default: preconditionFailure("\(command) is no setting")
        }
    }

    private func edit(at now: Duration, _ body: (inout Document) -> Bool) {
        if body(&scene.document) { documentChanged(at: now) }
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
        edit(at: now) { $0.edit(cells) }
    }
}

extension Mix {
    fileprivate mutating func apply(_ change: Command.TrackChange, to track: Track) {
        if let mute = change.mute { self[track].isMuted = mute }
        if let gain = change.gain { self[track].gain = gain }
        if let pan = change.pan { self[track].pan = pan }
        switch change.solo {
        case true?: solo = track
        case false? where solo == track: solo = nil
        default: break
        }
    }
}
