import Grid
import TerminalGrid
import Wire

extension InstrumentModel {
    private static let dimmed = Alpha.percent(35)
    private static let textColor = Color(0xaaaaaa)
    private static let keyColor = Color(0x666666)
    private static let troubleColor = Color(0xff6b6b)

    /// What the terminal is to show.
    var screen: Screen {
        var screen = Screen(size: size)
        guard let placement else {
            let needed = CellStyle.halfBlocks.gridSize
            screen.write("\(needed.columns)x\(needed.rows) needed", column: 0, row: 0)
            return screen
        }
        screen.draw(shownFrame, at: placement)
        screen.write(statusLine, column: placement.column, row: placement.bottom, foreground: InstrumentModel.textColor)
        if let complaint = trouble ?? notice {
            screen.write(
                complaint, column: placement.column, row: placement.bottom + 1, foreground: InstrumentModel.troubleColor
            )
        } else {
            screen.write(
                keyLine, column: placement.column, row: placement.bottom + 1, foreground: InstrumentModel.keyColor)
        }
        return screen
    }

    /// The picture; without a connection the last one, dimmed.
    private var shownFrame: Frame {
        guard let frame else { return Frame() }
        guard trouble != nil else { return frame }
        let cells = frame.cells.map { Color($0).over(.background, alpha: InstrumentModel.dimmed).rgb }
        return Frame(cells: cells) ?? frame
    }

    private var keyLine: String {
        switch mode {
        case .display: "q quit"
        case .instrument: "Space play  ^Z undo  ^Y redo  Del clear  Up/Down tempo  q quit"
        }
    }

    private var statusLine: String {
        guard let state else { return "" }
        let transport =
            state.transport.state == .stopped
            ? "STOPPED" : "\(state.transport.state.rawValue.uppercased()) \(state.transport.step + 1)/\(state.length)"
        let parts = [
            transport.padded(to: 13), "\(state.bpm.inWords) BPM", "\(state.root.name) \(state.scale.name.uppercased())",
            state.audio.inBrief,
        ]
        let xruns = state.audio.status == .running ? ["\(xruns) \(xruns == 1 ? "XRUN" : "XRUNS")"] : []
        return (parts + xruns).joined(separator: "  ")
    }
}

extension AudioState {
    /// For a line that has room for little.
    fileprivate var inBrief: String {
        switch status {
        case .running: "JACK" + (rate.map { " \($0)" } ?? "") + (period.map { "/\($0)" } ?? "")
        case .noServer: "NO JACK"
        case .lost: "JACK LOST"
        case .off: "NO AUDIO"
        }
    }
}
