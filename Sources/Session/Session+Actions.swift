import Engine
import Gestures
import Music
import Rendering

extension Session {
    /// Carries out what a touch or a timer asked for, in order.
    ///
    /// - Returns: The last outcome among the actions, nil when the pattern is as before.
    @discardableResult
    func carryOut(_ actions: [Action], at now: Duration) -> Outcome? {
        var outcome: Outcome?
        var edited = false
        for action in actions {
            switch action {
            case .edit(let edit): edited = apply(edit) || edited
            case .control(let control): apply(control, at: now)
            case .tooltip(let tooltip): show(tooltip, at: now)
            case .haptic(let client, let haptic): emit(.haptic(client, haptic))
            case .audition(let audition): play(audition, at: now)
            case .outcome(let result): outcome = result
            }
        }
        if edited { documentChanged(at: now) }
        return outcome
    }

    private func apply(_ edit: Edit) -> Bool {
        let before = scene.document.history.revision
        switch edit {
        case .write(let cells):
            scene.document.edit(cells)
        case .amend(let cells):
            scene.document.amendNewestEdit(cells)
        case .undo(let retracting):
            if retracting { scene.document.retractNewestEdit() }
            scene.document.undo()
        case .redo(let retracting):
            if retracting { scene.document.retractNewestEdit() }
            scene.document.redo()
        }
        return scene.document.history.revision != before
    }

    /// Changes what is not in the history; play was allowed only with audio.
    private func apply(_ control: Control, at now: Duration) {
        switch control {
        case .play: start(at: now)
        case .stop: stop(at: now)
        case .setScale(let scale): change(at: now) { $0.setScale(scale) }
        case .setRoot(let root): change(at: now) { $0.setRoot(root) }
        case .setTempo(let tempo): change(at: now) { $0.setTempo(tempo) }
        case .setLength(let length): setLength(length, at: now)
        case .setGhosts(let shown): change(at: now) { $0.showsGhosts = shown }
        case .setColorMode(let mode): change(at: now) { $0.colorMode = mode }
        case .setMute(let track, let muted): change(at: now) { $0.mix[track].isMuted = muted }
        case .setSolo(let track): change(at: now) { $0.mix.solo = track }
        }
    }

    func change(at now: Duration, _ body: (inout Document) -> Void) {
        body(&scene.document)
        documentChanged(at: now)
    }

    func setLength(_ length: Int, at now: Duration) {
        if transport.state != .playing { transport.step %= length }
        listening.expectNotices(from: now)
        change(at: now) { $0.setLength(length) }
        showTransport()
    }

    /// Shows a text; subscribers are told only when it is new or the old one has ended.
    private func show(_ tooltip: Tooltip, at now: Duration) {
        let shown = scene.tooltip
        let isRepeated = shown.map { $0.tooltip == tooltip && now < $0.shownAt + Self.tooltipTime } ?? false
        scene.tooltip = (tooltip, now)
        sceneChanged()
        if !isRepeated { emit(.tooltip(tooltip, milliseconds: 1200)) }
    }

    private func play(_ audition: Audition, at now: Duration) {
        guard audio.state == .running, auditions, !document.mix.isSilent(audition.track) else { return }
        _ = engine.send(
            .audition(
                track: Int32(audition.track.rawValue), notes: audition.notes.bits,
                velocity: audition.velocity.rawValue))
        listening.expectNotices(from: now)
    }
}
