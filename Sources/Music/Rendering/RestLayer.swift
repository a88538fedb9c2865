import Grid
import Music

/// The parts that rarely change: step cells, mute and solo, the overview and the pads. Everything else is drawn over
/// them.
struct RestLayer: Sendable {
    /// The state, besides the notes, that determines how it looks.
    struct RestLooks: Equatable, Sendable {
        fileprivate let length: Int
        fileprivate let cells: StepCells.StepLooks
        fileprivate let soloed: Track?
        fileprivate let pads: PadLayer.PadLooks

        init(of scene: Scene) {
            let document = scene.document
            length = document.pattern.length
            cells = StepCells.StepLooks(of: scene)
            soloed = document.soloedTrack
            pads = PadLayer.PadLooks(of: scene)
        }
    }

    let looks: RestLooks
    private var notes: ShownNotes
    private(set) var frame = Frame()

    init(_ looks: RestLooks, showing notes: ShownNotes) {
        self.looks = looks
        self.notes = notes
        TrackColumns.draw(
            isSilent: looks.cells.isSilent, soloed: looks.soloed, mode: looks.cells.mode, into: &frame)
        TrackColumns.draw(looks.cells.lenses, mode: looks.cells.mode, into: &frame)
        Overview.drawSide(into: &frame)
        PadLayer.draw(looks.pads, into: &frame)
        draw(Array(0..<SlotNotes.stepCount))
    }

    /// Shows other notes; redraws only the steps on which they differ.
    mutating func show(_ notes: ShownNotes) {
        guard !notes.match(self.notes) else { return }
        let former = self.notes
        self.notes = notes
        draw((0..<SlotNotes.stepCount).filter { !notes.match(former, at: $0) })
    }

    private mutating func draw(_ steps: [Int]) {
        StepCells(notes, looks.cells).draw(steps, into: &frame)
        Overview.draw(steps.filter { $0 < looks.length }, of: notes, looks.cells, into: &frame)
    }
}
