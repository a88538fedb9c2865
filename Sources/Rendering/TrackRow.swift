import Grid
import Music

/// A row of the step cells: the track it belongs to and the notes it shows.
struct TrackRow: Sendable {
    let track: Track
    let row: Int
    let notes: NoteSet

    /// Rows 2 to 21.
    static let all = Layout.trackRows.compactMap { row in
        Layout.track(atRow: row).map { track in
            TrackRow(track: track, row: row, notes: NoteSet(Layout.notes(of: track, row: row)))
        }
    }
}
