import Music
import Testing

/// What several clients asked a daemon for at the same time, and what of it was found again later.
struct EditHistory {
    /// The pattern before the first edit.
    let before: Pattern
    let edits: [Editor: [Editor.Edit]]

    /// How many of a client's edits a pattern holds; nil when it is none that the client's edits lead to.
    private func held(of editor: Editor, in pattern: Pattern) -> Int? {
        let difference = editor.number(in: pattern) - editor.number(in: before)
        let count = difference < 0 ? difference + editor.period : difference
        return count <= edits[editor]!.count ? count : nil
    }

    /// Expects that a pattern is one that existed: it holds the first so many edits of each client, and with an edit all
    /// that were answered before it was asked for.
    ///
    /// - Returns: When the first answered edit was answered that it does not hold; nil when it holds all.
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
    /// The clients together get an answer about every half a millisecond. What a gap is longer than two, the machine had no
    /// time for them, and may have had none for the daemon's storage thread: that does not count.
    func age(ofEditAnswered answered: ContinuousClock.Instant, at killed: ContinuousClock.Instant) -> Duration {
        let answers = edits.values.joined().compactMap(\.answered).filter { $0 > answered && $0 < killed }.sorted()
        return zip([answered] + answers, answers + [killed]).reduce(.zero) { age, gap in
            age + min(gap.1 - gap.0, .milliseconds(2))
        }
    }

    var answeredCount: Int { edits.values.joined().count { $0.answered != nil } }
}
