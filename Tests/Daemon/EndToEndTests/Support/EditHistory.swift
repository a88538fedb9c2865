import Music
import Testing

/// The edits that several clients requested of a daemon at the same time, to compare with what it found later.
struct EditHistory {
    /// The pattern before the first edit.
    let before: Pattern
    let edits: [Editor: [Editor.Edit]]

    /// How many of a client's edits a pattern holds; nil if those edits do not lead to it.
    private func held(of editor: Editor, in pattern: Pattern) -> Int? {
        let difference = editor.number(in: pattern) - editor.number(in: before)
        let count = difference < 0 ? difference + editor.period : difference
        return count <= edits[editor]!.count ? count : nil
    }

    /// Expects that a pattern once existed: it holds the first edits of each client, up to some number, and with an
    /// edit all those that were answered before it was requested.
    ///
    /// - Returns: When the first missing edit was answered; nil if the pattern holds all answered ones.
    func expectThatExisted(
        _ pattern: Pattern, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ContinuousClock.Instant? {
        var latest: ContinuousClock.Instant?
        var lost: ContinuousClock.Instant?
        for (editor, edits) in edits {
            let count = try #require(
                held(of: editor, in: pattern), "\(editor) never made this", sourceLocation: sourceLocation)
            if count > 0 { latest = max(latest ?? edits[count - 1].sent, edits[count - 1].sent) }
            if count < edits.count, let answered = edits[count].answered { lost = min(lost ?? answered, answered) }
        }
        if let latest, let lost { #expect(lost >= latest, "a gap", sourceLocation: sourceLocation) }
        return lost
    }

    /// How old an answered edit was when the daemon was killed.
    ///
    /// Together the clients get an answer about every half a millisecond. In a gap of more than 2 ms the machine had no
    /// time for them, and perhaps none for the daemon's storage thread: the excess does not count.
    func age(ofEditAnswered answered: ContinuousClock.Instant, at killed: ContinuousClock.Instant) -> Duration {
        let answers = edits.values.joined().compactMap(\.answered).filter { $0 > answered && $0 < killed }.sorted()
        return zip([answered] + answers, answers + [killed]).reduce(.zero) { age, gap in
            age + min(gap.1 - gap.0, .milliseconds(2))
        }
    }

    var answeredCount: Int { edits.values.joined().count { $0.answered != nil } }
}
