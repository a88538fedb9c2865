import JSON
import Music
import PatternFormat

/// What holds for every document, whatever has happened to it.
enum Rules {
    static func check(_ document: Document) {
        check(document, Parameter.ofWhole, on: nil)
        require(document.history.undoCount <= History.capacity, "\(document.history.undoCount) undo steps")
        require(document.history.redoCount <= History.capacity, "\(document.history.redoCount) redo steps")
        for track in Track.allCases { check(document, Parameter.of(track), on: track) }
    }

    private static func check(_ document: Document, _ parameters: [Parameter], on track: Track?) {
        for parameter in parameters {
            let value = document[parameter, track]
            let kind = parameter.row.kind(on: track)
            require(kind.checked(value) == value, "\(parameter) of \(track?.name ?? "all")")
        }
    }

    /// Melody has one note per step, unless a stored pattern or history contains more.
    static func checkMelody(_ pattern: Pattern) {
        for step in 0..<SlotNotes.stepCount {
            require(pattern[.melody, step].notes.count <= 1, "several melody notes on step \(step)")
        }
    }

    /// Exporting and importing gives the same pattern.
    static func checkExport(_ pattern: Pattern) {
        let bytes = PatternFormat.encode(pattern).prettyBytes
        do throws(PatternError) {
            var expected = pattern
            for slot in Slot.all { expected[slot] = pattern.sounding(slot) }
            let imported = try PatternFormat.decode(bytes)
            require(imported == expected, "an exported pattern changed: \(String(decoding: bytes, as: UTF8.self))")
        } catch {
            require(false, "an exported pattern was refused: \(error)")
        }
    }

    /// Undoing everything and redoing it gives the same notes.
    static func checkHistory(_ document: Document) {
        var copy = document
        let count = document.history.undoCount
        for _ in 0..<count { require(copy.apply(.undo), "an undo step is missing") }
        require(!copy.apply(.undo), "an undo step too many")
        for _ in 0..<count { require(copy.apply(.redo), "a redo step is missing") }
        require(copy.pattern.played == document.pattern.played || count == 0, "undo and redo changed the notes")
        require(copy.history == document.history, "undo and redo changed the history")
    }
}
