import Grid
import Music

/// Columns 0 to 3 beside the tracks: mute, solo, level meter and open lens.
enum TrackColumns {
    private static let silent = Alpha.percent(20)
    private static let notSoloed = Color(0x333333)
    private static let unlit = Color(0x111111)
    /// The meters' range in dB below full scale.
    private static let meterRange = 36

    /// Mute and solo.
    ///
    /// - Parameter isSilent: By track.
    static func draw(isSilent: [Bool], soloed: Track?, mode: ColorMode, into frame: inout Frame) {
        for track in Track.allCases {
            let color = Palette.color(of: track, in: mode)
            let rows = Layout.rows(of: track)
            let isSoloed = soloed == track
            for row in rows {
                let alpha =
                    isSilent[track.rawValue]
                    ? silent
                    : isSoloed ? .percent(100) : muteAlpha(line: row - rows.lowerBound, of: rows.count)
                frame[Layout.muteColumn, row] = color.over(.background, alpha: alpha)
                frame[Layout.soloColumn, row] = isSoloed ? .white : notSoloed
            }
        }
    }

    static func draw(_ lenses: OpenLenses, mode: ColorMode, into frame: inout Frame) {
        for track in Track.allCases {
            guard let lens = lenses[track] else { continue }
            let column = Layout.lensColumn
            frame.fill(
                columns: column...column, rows: Layout.rows(of: track),
                with: Palette.color(of: lens, on: track, in: mode))
        }
    }

    /// - Parameter levels: By track, in dBFS.
    static func drawMeters(_ levels: [Double], mode: ColorMode, into frame: inout Frame) {
        for track in Track.allCases {
            let rows = Layout.rows(of: track)
            for row in rows {
                let isLit = levels[track.rawValue] >= threshold(line: rows.upperBound - row, of: rows.count)
                frame[Layout.meterColumn, row] = isLit ? Palette.color(of: track, in: mode) : unlit
            }
        }
    }

    /// The mute cells of a track that sounds fade from top to bottom: (1 - 0.5 line/lines) * 200/255.
    private static func muteAlpha(line: Int, of lines: Int) -> Alpha {
        Alpha((2 * lines - line) * 200, of: 2 * lines * 255)
    }

    /// The level in dBFS from which a line, counted from the bottom, is lit.
    private static func threshold(line: Int, of lines: Int) -> Double {
        Double(-meterRange + meterRange * line / lines)
    }
}

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
