import Music

// Diagonal drags: the straight line from the start's note to the finger's.

extension DragShape {
    /// One note on each touched step; the finger's note beyond the finger, the start's behind the start.
    func straightLine() -> Writing {
        line { index in
            let place = place(at: steps[index])
            return track.isPitched ? key.snap(place) : Int(place + 0.5)
        }
    }

    /// The height of the line at a step, in notes. One division of whole numbers, so that what lies midway between two
    /// notes is exactly there.
    private func place(at step: Int) -> Double {
        let rise = fingerNote - startNote
        let run = abs(fingerStep - steps[0])
        let walked = isLeftOfStart ? steps[0] - step : step - steps[0]
        if walked <= 0 { return Double(startNote) }
        // Where the finger came back to the start's step the line is upright there.
        if walked >= run { return Double(fingerNote) }
        return Double(startNote) + Double(rise * walked) / Double(run)
    }
}
