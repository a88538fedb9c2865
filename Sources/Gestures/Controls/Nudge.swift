import Music

/// A button that moves the tempo or the length, again and again while it is held.
enum Nudge: Sendable {
    case tempoDown
    case tempoUp
    case lengthDown
    case lengthUp

    /// What it moves.
    var parameter: Parameter {
        switch self {
        case .tempoDown, .tempoUp: .tempo
        case .lengthDown, .lengthUp: .length
        }
    }

    /// What one press sets; a tempo out of the buttons' reach only comes nearer, it never moves against the arrow.
    func value(for pattern: Pattern) -> ParameterValue {
        switch self {
        case .tempoDown: .number(min(pattern.tempo, Nudge.moved(pattern.tempo, by: -5)).bpm)
        case .tempoUp: .number(max(pattern.tempo, Nudge.moved(pattern.tempo, by: 5)).bpm)
        case .lengthDown: .number(Double(pattern.length - 4))
        case .lengthUp: .number(Double(pattern.length + 4))
        }
    }

    private static func moved(_ tempo: Tempo, by bpm: Double) -> Tempo {
        Tempo(bpm: min(max(tempo.bpm + bpm, 60), 200)) ?? tempo
    }
}
