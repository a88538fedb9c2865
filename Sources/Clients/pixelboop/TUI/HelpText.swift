import TerminalGrid

/// What `?` shows: the gestures, and the keys.
enum HelpText {
    /// The length of the longest line.
    static let width = 44

    static let gestures = [
        "Gestures, on the rows of a track", "",
        "Tap a step: a note; again: the next, none", "Hold a step: an accent",
        "Drag along the steps: a run, a walk, a roll",
        "Drag across the rows: a chord, a slide", "Drag diagonally: a phrase, a fill",
        "Hold, then drag along: a long note", "Tap a step twice: empties it",
        "Swipe left twice: undo; right: redo", "Rub back and forth: clears all tracks",
        "Hold the level meter: a lens on the notes", "Rest a finger on the step markers: FILL",
        "Rest or drag on the overview: an effect", "while it is there (lower row: rhythm)",
        "Tap a pad: it plays next; twice: now", "Drag over pads: they play in turn",
        "Hold a pad and tap another: copies it there", "",
        "The controls are above; mute, solo and", "sound on the left; slots and, below them,",
        "scenes on the right. Point at a cell to", "read its name below the grid.",
    ]

    static let keys = [
        "Keys", "",
        "arrows, Tab   move the cursor", "Home, End     to the first, the last step", "Enter         tap",
        "h             finger down, and hold", "d             drag from here: then arrows",
        "Enter, Esc    lift the finger, cancel it", "Space         play or stop",
        "r, i          recording on or off; catch",
        "k             play on the keyboard; Esc ends",
        "+, -          5 BPM faster, slower", "1 to 8        scenes", "Ctrl-Z, -Y    undo, redo",
        "l, L          next or previous lens", "z             freeze the last pass",
        "f             FILL on or off", "x, c, v, b    hold: stutter, filter, brake,",
        "              throw; Shift: rhythm alone", "Delete        clear everything", "Ctrl-N        an empty pattern",
        "n             names on the notes",
        "q, Ctrl-C     quit; the music goes on",
    ]

    /// As many pages as needed: gestures and keys side by side if there is room.
    static func pages(for size: TerminalSize) -> [[String]] {
        let lines: [String] =
            if size.columns >= 2 * width {
                (0..<max(gestures.count, keys.count)).map { line in
                    let left = line < gestures.count ? gestures[line] : ""
                    return left.padded(to: width) + (line < keys.count ? keys[line] : "")
                }
            } else {
                keys + [""] + gestures
            }
        return stride(from: 0, to: lines.count, by: max(size.rows, 1)).map { start in
            Array(lines[start..<min(start + size.rows, lines.count)])
        }
    }
}
