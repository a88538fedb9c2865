import Grid
import Music

/// The preview of what the fingers would write if they were lifted now.
enum PreviewLayer {
    private static let strength = Alpha.percent(22)

    /// Draws notes in their colours; on tracks with an open lens, the cells that would change in the lens's colour.
    static func draw(_ scene: Scene, over notes: ShownNotes, into frame: inout Frame) {
        let mode = scene.document.colorMode
        for preview in scene.previews {
            for cell in prominent(preview) where (0..<notes.length(of: cell.track)).contains(cell.step) {
                let row = Layout.row(of: cell.track, note: cell.note)
                let lens = scene.lenses[cell.track]
                let color =
                    lens.map { Palette.color(of: $0, on: cell.track, in: mode) }
                    ?? Palette.color(ofNote: cell.note, in: mode)
                frame.overlay(color, alpha: strength, column: Layout.column(ofStep: cell.step), row: row)
            }
        }
    }

    /// For each cell of the grid, the strongest note of one touch; of equals the lowest.
    private static func prominent(_ preview: [PreviewCell]) -> Dictionary<PreviewPlace, PreviewCell>.Values {
        Dictionary(preview.map { (PreviewPlace($0), $0) }) { first, second in
            let ranks = (first.velocity.prominence, second.velocity.prominence)
            if ranks.0 != ranks.1 { return ranks.0 > ranks.1 ? first : second }
            return first.note <= second.note ? first : second
        }.values
    }

    private struct PreviewPlace: Hashable {
        var row: Int
        var step: Int

        init(_ cell: PreviewCell) {
            row = Layout.row(of: cell.track, note: cell.note)
            step = cell.step
        }
    }
}
