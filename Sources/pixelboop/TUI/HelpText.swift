import TerminalGrid

/// What `?` shows: the gestures, and the keys.
enum HelpText {
    /// The length of the longest line.
    static let width = 44

    static let gestures = [
        "Gestures, on the rows of a track", "",
        "Tap a step: a note, the next one, none", "Hold: an accent", "Drag along the steps: a run, a walk, a roll",
        "Drag across the rows: a chord, a slide", "Drag aslant: a phrase, a fill",
        "Hold, then drag along: a long note", "Tap twice: the step is empty",
        "Swipe left twice: undo; right: redo", "Rub to and fro: all is cleared",
        "Hold the level meter: a lens on the notes", "Rest on the step markers: FILL", "",
        "Above are the controls; on the left mute,", "solo and sound; on the right slots and",
        "below them scenes. Mouse or cursor on a", "cell: its name is below the grid.",
    ]

    static let keys = [
        "Keys", "",
        "arrows, Tab   move the cursor", "Home, End     to the first, the last step", "Enter         tap",
        "h             finger down, and hold", "d             drag from here: then arrows",
        "Enter, Esc    lift the finger, cancel it", "Space         play or stop", "r             record, or no longer",
        "+, -          5 BPM faster, slower", "1 to 8        scenes", "Ctrl-Z, -Y    undo, redo",
        "l, L          another lens on the track", "z             its dice's last pass stays",
        "f             hold FILL, or no longer", "Delete        clear everything", "Ctrl-N        an empty pattern",
        "n             names on the notes",
        "q, Ctrl-C     quit; the music goes on",
    ]

    /// As many pages as are needed: gestures and keys side by side where there is room.
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
