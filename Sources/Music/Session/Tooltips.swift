import Gestures
import Grid

/// The text on the grid. Subscribers are sent it only when it is new, the old one has ended, or its duration differs
/// from the announced one.
final class Tooltips {
    private static let milliseconds = Int(Tooltip.duration / .milliseconds(1))

    /// The text, and when its timeout started; nil while its drag is under way.
    private(set) var shown: (tooltip: Tooltip, shownAt: Duration?)?
    private var drag: DragID?
    private let outbox: Outbox

    init(_ outbox: Outbox) {
        self.outbox = outbox
    }

    /// Shows a text until its timeout.
    func show(_ tooltip: Tooltip, at now: Duration) {
        let end = shown?.shownAt.map { $0 + Tooltip.duration }
        let isRepeated = shown?.tooltip == tooltip && end.map { now < $0 } ?? false
        set(tooltip, since: now, of: nil)
        if !isRepeated { outbox.emit(.tooltip(tooltip, milliseconds: Self.milliseconds)) }
    }

    /// Shows a drag's text until the drag ends.
    func show(_ tooltip: Tooltip, during drag: DragID) {
        let isRepeated = self.drag != nil && shown?.tooltip == tooltip
        set(tooltip, since: nil, of: drag)
        if !isRepeated { outbox.emit(.tooltip(tooltip, milliseconds: nil)) }
    }

    /// Starts the timeout of a drag's text, unless another has replaced it.
    func end(_ drag: DragID, at now: Duration) {
        guard self.drag == drag, let tooltip = shown?.tooltip else { return }
        set(tooltip, since: now, of: nil)
        outbox.emit(.tooltip(tooltip, milliseconds: Self.milliseconds))
    }

    /// Removes a text before its timeout, unless another has replaced it.
    func withdraw(_ tooltip: Tooltip) {
        guard drag == nil, shown?.tooltip == tooltip else { return }
        remove(tooltip)
    }

    /// Removes the text of a drag that was dropped or became a scrub.
    func dropLost(isUnderWay: (DragID) -> Bool) {
        guard let drag, !isUnderWay(drag), let tooltip = shown?.tooltip else { return }
        self.drag = nil
        remove(tooltip)
    }

    /// Removes the text of a finger that has lost what it held.
    func drop(_ drag: DragID) {
        dropLost { $0 != drag }
    }

    private func remove(_ tooltip: Tooltip) {
        shown = nil
        outbox.sceneChanged()
        outbox.emit(.tooltip(tooltip, milliseconds: 0))
    }

    private func set(_ tooltip: Tooltip, since start: Duration?, of drag: DragID?) {
        shown = (tooltip, start)
        self.drag = drag
        outbox.sceneChanged()
    }
}
