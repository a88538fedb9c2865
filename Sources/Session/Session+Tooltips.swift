import Gestures
import Grid
import Rendering

// Subscribers are told of a text only when it is new, the old one has ended, or it is shown for another time than was
// said.
extension Session {
    /// How long a text stays on the grid.
    private static let tooltipTime: Duration = .milliseconds(1200)

    /// Shows a text for its time.
    func show(_ tooltip: Tooltip, at now: Duration) {
        let end = scene.tooltip?.shownAt.map { $0 + Self.tooltipTime }
        let isRepeated = scene.tooltip?.tooltip == tooltip && end.map { now < $0 } ?? false
        set(tooltip, since: now, of: nil)
        if !isRepeated { emit(.tooltip(tooltip, milliseconds: 1200)) }
    }

    /// Shows the text of a drag until that ends.
    func show(_ tooltip: Tooltip, during drag: DragID) {
        let isRepeated = tooltipDrag != nil && scene.tooltip?.tooltip == tooltip
        set(tooltip, since: nil, of: drag)
        if !isRepeated { emit(.tooltip(tooltip, milliseconds: nil)) }
    }

    /// Lets the time of a drag's text run, unless another one has replaced it.
    func endTooltip(of drag: DragID, at now: Duration) {
        guard tooltipDrag == drag, let tooltip = scene.tooltip?.tooltip else { return }
        set(tooltip, since: now, of: nil)
        emit(.tooltip(tooltip, milliseconds: 1200))
    }

    /// Takes the text of a drag away that was dropped, or became a scrub: it writes nothing any more.
    func dropTooltipOfLostDrag() {
        guard let drag = tooltipDrag, !gestures.isUnderWay(drag), let tooltip = scene.tooltip?.tooltip else { return }
        tooltipDrag = nil
        scene.tooltip = nil
        sceneChanged()
        emit(.tooltip(tooltip, milliseconds: 0))
    }

    private func set(_ tooltip: Tooltip, since start: Duration?, of drag: DragID?) {
        scene.tooltip = (tooltip, start)
        tooltipDrag = drag
        sceneChanged()
    }
}
