import Music

// Horizontal drags: a sequence of notes over the touched steps.

extension DragShape {
    /// One degree of the scale per step, up to the right, down to the left; at the ends of the track's range it turns
    /// round.
    func scaleRun() -> Writing {
        let scale = Array(key.notes)
        let start = scale.firstIndex(of: startNote)!
        return line { index in
            scale[DragShape.reflect(start + (isLeftOfStart ? -index : index), within: scale.count)]
        }
    }

    /// The tones of the seventh chord in turn, from the root up to the right, from the seventh down to the left.
    func brokenChord() -> Writing {
        let tones = key.seventhChord(on: startNote)
        let order = isLeftOfStart ? tones.reversed() : tones
        return line { order[$0 % order.count] }
    }

    /// Root, fifth, third, fifth in turn.
    func walk() -> Writing {
        let (third, fifth) = (key.third(above: startNote), key.fifth(above: startNote))
        let order = [startNote, fifth, third, fifth]
        return line { order[$0 % order.count] }
    }

    /// The row's drum on every step; a hold accents the first and the last.
    func roll() -> Writing {
        let (end, other) = (StepNotes([startNote], velocity), StepNotes([startNote], .normal))
        return Writing(
            track,
            replacing: steps.map { step in
                .init(step: step, notes: step == steps.first || step == steps.last ? end : other)
            })
    }

    /// Folds any index into 0..<count as between two mirrors, without sounding the ends twice.
    private static func reflect(_ index: Int, within count: Int) -> Int {
        let period = 2 * (count - 1)
        let phase = (index % period + period) % period
        return min(phase, period - phase)
    }
}
