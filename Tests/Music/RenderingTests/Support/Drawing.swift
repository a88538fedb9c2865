import Grid
import Music
import Rendering
import TestSupport
import Testing

/// A moment at which the music key shows the root's colour as it is.
let still = Duration.seconds(2)

extension Renderer {
    /// Draws only the picture with the text on the grid.
    mutating func draw(_ scene: Scene, at now: Duration, into frame: inout Frame) -> Duration {
        var plain = Frame()
        return draw(scene, at: now, into: &frame, withoutTooltip: &plain)
    }
}

/// Draws a scene with a fresh renderer.
func drawn(_ scene: Scene, at now: Duration = still) -> Frame {
    var renderer = Renderer()
    var frame = Frame(filledWith: Color(0xbadbad))
    _ = renderer.draw(scene, at: now, into: &frame)
    return frame
}

/// A stopped scene with the given notes, as ``Cells/init(drawnAs:)`` reads them; ghosts are off unless asked for.
func scene(
    _ drawing: String = "", length: Int = 32, key: Key = Key(), ghosts: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Scene {
    var document = Document()
    document.set(.length, to: .number(Double(length)))
    document.set(.root, to: .choice(key.root))
    document.set(.scale, to: .choice(key.scale))
    document.set(.ghosts, to: .toggle(ghosts))
    document.edit(try #require(Cells(drawnAs: drawing), sourceLocation: sourceLocation))
    return Scene(document: document)
}

extension Frame {
    /// The colour of a note's cell as `0xRRGGBB`.
    func cell(_ track: Track, _ note: Int, at step: Int) -> UInt32 {
        self[Layout.column(ofStep: step), Layout.row(of: track, note: note)].rgb
    }

    /// The colours of a row in the given columns.
    func row(_ row: Int, _ columns: some Sequence<Int>) -> [UInt32] {
        columns.map { self[$0, row].rgb }
    }
}
