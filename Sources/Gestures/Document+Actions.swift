import Music

extension Document {
    /// Carries out a change of the notes.
    public mutating func perform(_ edit: Edit) {
        switch edit {
        case .write(let cells): self.edit(cells)
        case .amend(let cells): amendNewestEdit(cells)
        case .undo(let retracting):
            if retracting { retractNewestEdit() }
            undo()
        case .redo(let retracting):
            if retracting { retractNewestEdit() }
            redo()
        }
    }

    /// Carries out a change of a setting; play and stop are not the document's.
    public mutating func perform(_ control: Control) {
        switch control {
        case .play, .stop: break
        case .setScale(let scale): setScale(scale)
        case .setRoot(let root): setRoot(root)
        case .setTempo(let tempo): setTempo(tempo)
        case .setLength(let length): setLength(length)
        case .setGhosts(let isOn): showsGhosts = isOn
        case .setColorMode(let mode): colorMode = mode
        case .setMute(let track, let isMuted): mix[track].isMuted = isMuted
        case .setSolo(let track): mix.solo = track
        }
    }
}
