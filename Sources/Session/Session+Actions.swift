import Engine
import Gestures
import Grid
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
            case .perform(let command): if carryOut(command, at: now) { edited = true }
            case .tooltip(let tooltip): show(tooltip, at: now)
            case .dragTooltip(let tooltip, let drag): show(tooltip, during: drag)
            case .endDragTooltip(let drag): endTooltip(of: drag, at: now)
            case .haptic(let client, let haptic): emit(.haptic(client, haptic))
            case .audition(let audition): play(audition, at: now)
            case .outcome(let result): outcome = result
            }
        }
        if edited { documentChanged(at: now) }
        return outcome
    }

    private func play(_ audition: Audition, at now: Duration) {
        guard audio.state == .running, auditions, !document.isSilent(audition.track) else { return }
        _ = engine.send(
            .audition(
                track: Int32(audition.track.rawValue), notes: audition.notes.bits,
                velocity: audition.velocity.rawValue),
            at: now.wholeMicroseconds)
        listening.expectNotices(from: now)
    }
}
