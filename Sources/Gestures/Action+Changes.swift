import Music

extension Edit {
    /// What it does to the document, in order.
    public var changes: [DocumentChange] {
        switch self {
        case .write(let cells): [.edit(cells)]
        case .amend(let cells): [.amend(cells)]
        case .undo(let retracting): retracting ? [.retract, .undo] : [.undo]
        case .redo(let retracting): retracting ? [.retract, .redo] : [.redo]
        }
    }
}

extension Control {
    /// What it does to the document; nil for play and stop, which are none of its business.
    public var change: DocumentChange? {
        switch self {
        case .play, .stop: nil
        case .setScale(let scale): .setScale(scale)
        case .setRoot(let root): .setRoot(root)
        case .setTempo(let tempo): .setTempo(tempo)
        case .setLength(let length): .setLength(length)
        case .setGhosts(let isOn): .setGhosts(isOn)
        case .setColorMode(let mode): .setColorMode(mode)
        case .setMute(let track, let isMuted): .setMute(track, isMuted)
        case .setSolo(let track): .setSolo(track)
        }
    }
}
