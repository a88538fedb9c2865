// The values that lenses show and fingers choose from: those of the row. What a program set in between shows and counts as
// the nearest of them.

extension NoteValue {
    /// The place in the row's list of the value that is nearest to a number; of two equally near the first. A cycle is near
    /// another one that plays as large a share of the passes.
    public func choice(nearest number: Int) -> Int {
        let choices = row.choices
        if let place = choices.firstIndex(of: number) { return place }
        func distance(_ choice: Int) -> Double {
            guard self == .cycle else { return Double(abs(choice - number)) }
            guard let share = Cycle.share(choice), let wanted = Cycle.share(number) else { return .infinity }
            return abs(share - wanted)
        }
        return choices.indices.min { distance(choices[$0]) < distance(choices[$1]) } ?? 0
    }

    /// The value that follows a number in the row's list, round and round.
    public func next(after number: Int) -> Int {
        let choices = row.choices
        return choices[(choice(nearest: number) + 1) % choices.count]
    }

    /// The value so many further from the lowest to the highest, a cycle's in the order of the list; it ends at the last one.
    public func moved(_ number: Int, by count: Int) -> Int {
        let rising = row.choices.sorted()
        let place = rising.firstIndex(of: row.choices[choice(nearest: number)]) ?? 0
        return rising[min(max(place + count, 0), rising.count - 1)]
    }
}

extension StepNotes {
    /// The place in the list of a value's choices that some of the notes that start here show: the first that is no default.
    public func choice(of value: NoteValue, among set: NoteSet) -> Int {
        heads.intersection(set).lazy.map { value.choice(nearest: self[whole: $0][value]) }.first { $0 > 0 } ?? 0
    }

    /// These notes with a value set for some of those that start here.
    public func setting(_ value: NoteValue, of set: NoteSet, to number: Int) -> StepNotes {
        var result = self
        for note in heads.intersection(set) { result[whole: note][value] = number }
        return result
    }
}
