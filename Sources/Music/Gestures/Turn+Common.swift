import Grid
import Music

/// One of the two ways through the history.
enum HistoryDirection: Sendable {
    case undo
    case redo
}

// Effects that several fingers and controls share.

extension Turn {
    /// Writes a gesture's notes onto what sounds in a slot; returns whether that changed anything.
    @discardableResult
    mutating func write(_ writing: Writing, into slot: Slot, as gesture: String) -> Bool {
        let pattern = document.pattern
        let notes = writing.applied(to: pattern.sounding(slot), length: pattern.length(of: slot))
        guard edit([.edit([slot: notes])]) else { return false }
        report(gesture, notes: writing.cellCount)
        return true
    }

    /// Clears all tracks, hidden steps too.
    mutating func clear(showingAt anchor: TooltipAnchor, shaking client: ClientID) {
        if edit([.clear(document.pattern)]) { report("clear", notes: 0) }
        show("CLEARED!", at: anchor)
        shake(client, .rigid)
    }

    /// Stops the music, or starts it if there is audio.
    mutating func togglePlay(showingAt anchor: TooltipAnchor) {
        if context.isPlaying {
            play(false)
            show("STOP", at: anchor)
        } else if context.hasAudio {
            play(true)
            show("PLAY", at: anchor)
        } else {
            show("NO JACK", at: anchor)
        }
    }

    /// Arms or disarms recording.
    mutating func toggleRecording() {
        record(!context.isRecording)
        show(context.isRecording ? "REC ON" : "REC OFF", at: .control)
    }

    /// Whether there is something to undo or redo, after the newest edit is retracted if `retracting`.
    func canUndoOrRedo(_ direction: HistoryDirection, retracting: Bool = false) -> Bool {
        let history = document.history
        let counts = retracting ? history.countsAfterRetraction : (history.undoCount, history.redoCount)
        guard let counts else { return false }
        return (direction == .undo ? counts.0 : counts.1) > 0
    }

    /// Undoes or redoes one step, after retracting the newest edit if `retracting`.
    ///
    /// - Returns: What that changes, in words.
    mutating func undoOrRedo(_ direction: HistoryDirection, retracting: Bool = false) -> String? {
        let history = document.history
        let what =
            switch direction {
            case .undo: retracting ? history.nextUndoAfterRetraction : history.nextUndo
            case .redo: retracting ? history.nextRedoAfterRetraction : history.nextRedo
            }
        let change = direction == .undo ? DocumentChange.undo : .redo
        if edit(retracting ? [.retract, change] : [change]) { report(direction == .undo ? "undo" : "redo", notes: 0) }
        return what
    }
}
