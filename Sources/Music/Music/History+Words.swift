// What steps change, in words for people: `the preset of Bass`.

extension History.Entry {
    /// Whether it is a change of a parameter of a track, or of the whole for nil.
    func isOf(_ parameter: Parameter, on track: Track?) -> Bool {
        guard case .parameter(parameter, track, _) = after else { return false }
        return true
    }

    /// What it changes.
    var words: String {
        switch (before, after) {
        case (_, .parameter(let parameter, let track, _)):
            "the \(parameter.row.title.inSentence)" + (track.map { " of \($0.properName)" } ?? "")
        case (.notes(let old), .notes(let new)):
            "the \(History.difference(of: old, from: new)) of " + Set(new.keys.map(\.track)).inWords
        case (_, .pattern(_, let mixer)): mixer == nil ? "the pattern" : "the new pattern"
        default: "the notes"
        }
    }
}

extension History {
    /// What differs between slots: notes, unless it is only something else that slots hold.
    fileprivate static func difference(of old: [Slot: SlotNotes], from new: [Slot: SlotNotes]) -> String {
        let pairs = new.map { ($1, old[$0] ?? SlotNotes()) }
        if pairs.contains(where: { !$0.hasCells(of: $1) }) { return "notes" }
        if pairs.contains(where: { $0.motions != $1.motions }) { return "motions" }
        return pairs.contains { $0.length != $1.length } ? "length" : "speed"
    }
}

extension Set<Track> {
    /// `Bass`, `Melody and Bass`, `all tracks`.
    fileprivate var inWords: String {
        if count == Track.allCases.count { return "all tracks" }
        let titles = Track.allCases.filter(contains).map(\.properName)
        guard titles.count > 2 else { return titles.joined(separator: " and ") }
        return titles.dropLast().joined(separator: ", ") + " and " + titles[titles.count - 1]
    }
}

extension Track {
    fileprivate var properName: String { name.prefix(1).uppercased() + name.dropFirst() }
}

extension String {
    /// A title within a sentence: `reverb low cut`, `LFO rate`.
    fileprivate var inSentence: String {
        split(separator: " ").map { $0 == $0.uppercased() ? String($0) : $0.lowercased() }.joined(separator: " ")
    }
}
