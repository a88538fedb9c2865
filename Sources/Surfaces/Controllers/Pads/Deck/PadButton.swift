import Grid

/// The functions of a controller's buttons.
public enum PadButton: Int, CaseIterable, Sendable {
    case left
    case right
    case up
    case down
    case play
    case record
    case undo
    case redo
    case mute
    case solo
    case lens

    /// The grid's cell that the button touches; nil for those that turn the page, and for recording, which is a call.
    func cell(on page: Page) -> PadCell? {
        switch self {
        case .left, .right, .up, .down, .record: nil
        case .play: Self.playCell
        case .undo: PadCell(column: 4, row: Layout.controlRow)
        case .redo: PadCell(column: 5, row: Layout.controlRow)
        case .mute: PadCell(column: Layout.muteColumn, row: Layout.rows(of: page.track).lowerBound)
        case .solo: PadCell(column: Layout.soloColumn, row: Layout.rows(of: page.track).lowerBound)
        case .lens: PadCell(column: Layout.meterColumn, row: Layout.rows(of: page.track).lowerBound)
        }
    }

    /// Where the grid shows whether it plays and records.
    static let playCell = PadCell(column: 1, row: Layout.controlRow)
}
