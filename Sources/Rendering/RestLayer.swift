import Grid
import Music

/// What stays as it is from most frames to the next: step cells, mute and solo, the overview and the pads. It lies under
/// everything else.
enum RestLayer {
    /// What decides how it looks, besides the notes that are shown.
    struct Looks: Equatable, Sendable {
        fileprivate let cells: StepCells.Looks
        fileprivate let soloed: Track?
        fileprivate let pads: PadLayer.Looks

        init(of scene: Scene) {
            let document = scene.document
            cells = StepCells.Looks(of: document)
            soloed = document.soloedTrack
            pads = PadLayer.Looks(of: scene)
        }
    }

    static func draw(_ looks: Looks, showing notes: ShownNotes, into frame: inout Frame) {
        StepCells(notes, looks.cells).draw(into: &frame)
        TrackColumns.draw(isSilent: looks.cells.isSilent, soloed: looks.soloed, into: &frame)
        Overview.draw(notes, looks.cells, into: &frame)
        PadLayer.draw(looks.pads, into: &frame)
    }
}
