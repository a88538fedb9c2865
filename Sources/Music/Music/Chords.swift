// Chords are diatonic: stacked in thirds in the seven-note scale, wrapped into the track's twelve notes and, in penta,
// snapped to its five.

extension Key {
    /// The root, third and fifth on a note of the scale, in that order; tones that fall together count once.
    ///
    /// - Parameter note: The chord's root, a note of the scale, 0 to 11.
    public func triad(on note: Int) -> [Int] { chord(on: note, degrees: [0, 2, 4]) }

    /// The root, third, fifth and seventh on a note of the scale, in that order; tones that fall together count once.
    public func seventhChord(on note: Int) -> [Int] { chord(on: note, degrees: [0, 2, 4, 6]) }

    /// The diatonic third of a note of the scale, wrapped into the track's notes.
    public func third(above note: Int) -> Int { tone(degrees: 2, above: note) }

    /// The diatonic fifth of a note of the scale, wrapped into the track's notes.
    public func fifth(above note: Int) -> Int { tone(degrees: 4, above: note) }

    /// The fifth below: four degrees down, wrapped into the track's notes.
    public func fifth(below note: Int) -> Int { tone(degrees: -4, above: note) }

    private func chord(on note: Int, degrees: [Int]) -> [Int] {
        var tones: [Int] = []
        for tone in degrees.map({ tone(degrees: $0, above: note) }) where !tones.contains(tone) {
            tones.append(tone)
        }
        return tones
    }

    private func tone(degrees: Int, above note: Int) -> Int {
        let intervals = scale.chordIntervals
        let interval = (note - root.number + 12) % 12
        guard let degree = intervals.firstIndex(of: interval) else {
            preconditionFailure("note \(note) is not in the scale")
        }
        let wrapped = ((degree + degrees) % intervals.count + intervals.count) % intervals.count
        return snap((root.number + intervals[wrapped]) % 12)
    }
}
