import Music

/// A button that moves the tempo or the length, again and again while it is held.
enum Nudge: Sendable {
    case tempoDown
    case tempoUp
    case lengthDown
    case lengthUp

    /// What one press does; a tempo out of the buttons' reach only comes nearer, it never moves against the arrow.
    func control(for pattern: Pattern) -> Control {
        switch self {
        case .tempoDown: .setTempo(min(pattern.tempo, Nudge.moved(pattern.tempo, by: -5)))
        case .tempoUp: .setTempo(max(pattern.tempo, Nudge.moved(pattern.tempo, by: 5)))
        case .lengthDown: .setLength(max(pattern.length - 4, Pattern.lengths.lowerBound))
        case .lengthUp: .setLength(min(pattern.length + 4, Pattern.lengths.upperBound))
        }
    }

    private static func moved(_ tempo: Tempo, by bpm: Double) -> Tempo {
        Tempo(bpm: min(max(tempo.bpm + bpm, 60), 200)) ?? tempo
    }
}
