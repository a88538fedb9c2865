import Grid
import Music

// Controls that act once, on `down`.

extension Turn {
    /// Presses a tempo button. A tempo beyond the buttons' range may only approach it, and never moves against the
    /// arrow.
    mutating func moveTempo(by bpm: Double) {
        if showsTempoSource() { return }
        let tempo = document.pattern.bpm
        let moved = min(max(tempo + bpm, 60), 200)
        let next = ParameterValue.number(bpm < 0 ? min(tempo, moved) : max(tempo, moved))
        if let next = Parameter.tempo.row.kind().nearest(next) { set(.tempo, to: next) }
        showTempo()
    }

    /// Presses a length button.
    mutating func moveLength(by steps: Int) {
        set(.length, to: .number(Double(length + steps)))
        showLength()
    }

    /// Undoes or redoes a step.
    mutating func press(_ direction: HistoryDirection, by client: ClientID) {
        guard canUndoOrRedo(direction) else { return }
        let what = undoOrRedo(direction)
        show(direction == .undo ? "UNDO" : "REDO", at: .control, changing: what)
        shake(client, .rigid)
    }

    /// Sets the scale or its root.
    mutating func setKey(_ parameter: Parameter, to value: ParameterValue) {
        set(parameter, to: value)
        show(key.title, at: .control)
    }

    /// Shows or hides where the other tracks have notes.
    mutating func toggleGhosts() {
        set(.ghosts, to: .toggle(!document.showsGhosts))
        show(document.showsGhosts ? "GHOSTS ON" : "GHOSTS OFF", at: .control)
    }

    mutating func tapTempo() {
        if showsTempoSource() { return }
        if let tempo = memory.tapTempo.tap(at: now) { set(.tempo, to: tempo) }
        showTempo()
    }

    /// Switches between following the best source and none.
    mutating func toggleSync() {
        let follows = document.syncSource == .own
        set(.syncSource, to: .choice(follows ? SyncSource.automatic : .own))
        show(follows ? "SYNC AUTO" : "SYNC OFF", at: .control)
    }

    /// Shows the tempo's source, if it is not ours; returns whether it did.
    private mutating func showsTempoSource() -> Bool {
        guard let source = context.tempoSource else { return false }
        show("SYNC \(source.title)", at: .control)
        return true
    }

    /// Goes to the next of the usual lengths.
    mutating func nextLength() {
        let lengths = [8, 16, 24, 32]
        set(.length, to: .number(Double(lengths.first { $0 > length } ?? lengths[0])))
        showLength()
    }

    /// A soloed track sounds even if muted: muting it only ends the solo.
    mutating func toggleMute(of track: Track) {
        guard document.soloedTrack != track else { return toggleSolo(of: track) }
        let isMuted = !document.isOn(.mute, track)
        set(.mute, on: track, to: .toggle(isMuted))
        show(isMuted ? "MUTE \(track.title)" : "UNMUTE", at: .control)
    }

    /// Soloes a track, or ends its solo.
    mutating func toggleSolo(of track: Track) {
        let isSoloed = document.soloedTrack != track
        set(.solo, on: track, to: .toggle(isSoloed))
        show(isSoloed ? "SOLO \(track.title)" : "SOLO OFF", at: .control)
    }

    /// Selects the next or previous preset or kit; the first and the last are neighbours.
    mutating func changeSound(of track: Track, isNext: Bool) {
        let names = track.isPitched ? track.soundNames : context.kits
        let present = names.firstIndex { document[track.soundParameter, track] == .choice($0) }
        // After a missing kit comes the first, before it the last.
        let place = if let present { present + (isNext ? 1 : names.count - 1) } else { isNext ? 0 : names.count - 1 }
        let name = names[place % names.count]
        set(track.soundParameter, on: track, to: .choice(name))
        show(name.uppercased(), at: .control)
    }

    /// Opens a lens on a track, or with nil closes it.
    mutating func look(at track: Track, through lens: Lens?) {
        open(lens, on: track)
        show(lens?.title ?? "NOTES", at: .control)
    }

    /// Shows `120 BPM`, `127.3 BPM` or `99.05 BPM`.
    private mutating func showTempo() { show("\(document.pattern.bpm.plain) BPM", at: .control) }

    private mutating func showLength() { show("\(length) STEPS", at: .control) }
}
