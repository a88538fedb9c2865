/// How long things that light up stay so.
enum Glow {
    /// The marker of a step that just started, and the pulse of its notes.
    static let step = Duration.milliseconds(100)
    /// A text.
    static let tooltip = Duration.milliseconds(1200)
}

extension Duration {
    /// When something that began at this time and lasts so long is over, nil when it already is.
    func end(after length: Duration, at now: Duration) -> Duration? {
        let end = self + length
        return now < end ? end : nil
    }
}

extension Playhead {
    /// When the step stops being new, nil when it no longer is.
    func flashEnd(at now: Duration) -> Duration? { startedAt?.end(after: Glow.step, at: now) }
}

extension Pulse {
    /// When it no longer glows, nil when it already does not.
    func end(at now: Duration) -> Duration? { startedAt.end(after: Glow.step, at: now) }
}
