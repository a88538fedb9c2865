import Engine
import Music
import TestSupport

extension Score {
    /// Any instrument: sounds, effects, motions, ratchets, launches and speeds. Its tails are short, so that it falls silent.
    static func random(using random: inout SeededGenerator) -> Score {
        var score = Score()
        for slot in Slot.all where slot.index < 3 {
            let density = Double.random(in: 0...0.1, using: &random)
            for step in 0..<32 {
                var notes = StepNotes()
                for note in 0..<Track.noteCount where Double.random(in: 0...1, using: &random) < density {
                    notes[whole: note] = .random(using: &random)
                }
                score[slot].notes[step] = notes
            }
            guard Bool.random(using: &random) else { continue }
            score[slot].time.length = .random(in: 0...32, using: &random)
            score[slot].time.speed = Speed.allCases.randomElement(using: &random)!
            score[slot].motions = TrackMotions(.random(using: &random), length: 32)
        }
        score.turnKnobs(using: &random)
        return score
    }

    /// Sets about half of the parameters.
    mutating func turnKnobs(using random: inout SeededGenerator) {
        for parameter in Parameter.allCases where !Score.notTurned.contains(parameter) {
            let tracks = parameter.row.scope == .whole ? [Track?.none] : Track.allCases.map { $0 }
            for track in tracks where parameter.row.scope.contains(track) && Bool.random(using: &random) {
                parameters[parameter, track?.rawValue ?? 0] = Score.value(parameter.row.kind(on: track), using: &random)
            }
        }
        parameters[.tempo] = .random(in: 90...300, using: &random)
        parameters[.reverbTime] = .random(in: 0.3...0.5, using: &random)
        parameters[.delayFeedback] = .random(in: 0...0.2, using: &random)
        for track in Track.allCases {
            parameters[.gain, track.rawValue] = .random(in: -20...0, using: &random)
            isSilent[track.rawValue] = Int.random(in: 0..<8, using: &random) == 0
        }
        tempoRevision += 1
    }

    /// What tests set apart.
    private static let notTurned: Set<Parameter> = [
        .tempo, .mute, .solo, .syncSource, .syncLead, .syncQuantum, .syncStartStop, .syncOffsetIn, .syncOffsetOut,
        .syncLatency, .reverbTime, .delayFeedback, .gain,
    ]

    private static func value(_ kind: ParameterKind, using random: inout SeededGenerator) -> Double {
        switch kind {
        case .number(let range, _, _, _): .random(in: range, using: &random)
        case .integer(let range, _): Double(Int.random(in: range, using: &random))
        case .numbers(let numbers, _): Double(numbers.randomElement(using: &random)!)
        case .toggle: Double(Int.random(in: 0...1, using: &random))
        case .choice(let names): Double(Int.random(in: 0..<names.count, using: &random))
        // One more for a kit of samples.
        case .name(let names): Double(Int.random(in: 0...names.count, using: &random))
        case .selection(let names): Double(Int.random(in: 0..<1 << names.count, using: &random))
        }
    }
}

extension SampleKit {
    /// Two short samples.
    static func random(using random: inout SeededGenerator) -> SampleKit {
        var samples = [[Float]?](repeating: nil, count: 12)
        for drum in [0, 3] {
            samples[drum] = (0..<Int.random(in: 50...3000, using: &random)).map { _ in
                .random(in: -0.5...0.5, using: &random)
            }
        }
        return SampleKit(sampleRate: 48_000, samples: samples)
    }
}
