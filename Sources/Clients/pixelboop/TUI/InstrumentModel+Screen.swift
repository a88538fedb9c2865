import Grid
import Instrument
import Music
import TerminalGrid
import Wire

extension InstrumentModel {
    private static let dimmed = Alpha.percent(35)
    private static let textColor = Color(0xaaaaaa)
    private static let keyColor = Color(0x666666)
    private static let troubleColor = Color(0xff6b6b)

    /// The terminal's screen.
    var screen: Screen {
        var screen = Screen(size: size)
        guard let placement else {
            let needed = CellStyle.halfBlocks.gridSize
            screen.write("needs \(needed.columns)x\(needed.rows)", column: 0, row: 0)
            return screen
        }
        if let helpPage, helpPage < helpPages.count {
            drawHelp(helpPages[helpPage], on: &screen, at: placement)
        } else {
            drawGrid(on: &screen, at: placement)
        }
        write(statusLine, below: placement, line: 0, InstrumentModel.textColor, on: &screen)
        let complaint = trouble ?? notice
        let color = complaint == nil ? InstrumentModel.keyColor : InstrumentModel.troubleColor
        write(complaint ?? keyLine, below: placement, line: 1, color, on: &screen)
        return screen
    }

    private func drawGrid(on screen: inout Screen, at placement: GridPlacement) {
        let frame = shownFrame
        screen.draw(frame, at: placement)
        if showsNames { screen.draw(labels, over: frame, at: placement) }
        drawTrackNames(on: &screen, at: placement)
        if cursor.isShown { screen.drawCursor(column: cursor.column, row: cursor.row, over: frame, at: placement) }
    }

    /// From the grid's upper left corner, or as far from it as the page needs.
    private func drawHelp(_ page: [String], on screen: inout Screen, at placement: GridPlacement) {
        let width = page.map(\.count).max() ?? 0
        let column = max(0, min(placement.column, size.columns - width))
        let row = max(0, min(placement.row, placement.bottom - page.count))
        for (line, text) in page.enumerated() {
            screen.write(text, column: column, row: row + line, foreground: InstrumentModel.textColor)
        }
    }

    /// Names the tracks in the free margin on the left, by a letter if it is narrow.
    private func drawTrackNames(on screen: inout Screen, at placement: GridPlacement) {
        let margin = placement.column - 1
        guard margin > 0 else { return }
        for track in Track.allCases {
            let text = track.title.prefix(track.title.count <= margin ? track.title.count : 1)
            let rows = Layout.rows(of: track)
            let row = placement.terminalRow(ofCellRow: (rows.lowerBound + rows.upperBound) / 2)
            screen.write(text, column: margin - text.count, row: row, foreground: InstrumentModel.keyColor)
        }
    }

    /// Writes text from the grid's left edge, or from further left if it needs the room.
    private func write(
        _ text: String, below placement: GridPlacement, line: Int, _ color: Color, on screen: inout Screen
    ) {
        let column = max(0, min(placement.column, size.columns - text.count))
        screen.write(text, column: column, row: placement.bottom + line, foreground: color)
    }

    /// The picture; without a connection the last one, dimmed.
    private var shownFrame: Frame {
        guard let frame else { return Frame() }
        guard trouble != nil else { return frame }
        let cells = frame.cells.map { Color($0).over(.background, alpha: InstrumentModel.dimmed).rgb }
        return Frame(cells: cells) ?? frame
    }

    /// The name of the cell that is pointed at, and as many keys as fit, always including how to quit.
    private var keyLine: String {
        let keys = keys
        guard let name = pointedName else { return fitting(keys) }
        let words = fitting(keys, behind: name)
        return words.count <= size.columns ? words : String(name.prefix(size.columns))
    }

    /// As many keys as fit, and always the last two.
    private func fitting(_ keys: [String], behind name: String? = nil) -> String {
        var words = [name].compactMap(\.self) + keys
        // From the grid's left edge on.
        let room = size.columns - (placement?.column ?? 0)
        while words.joined(separator: "  ").count > room, words.count > 3 { words.remove(at: words.count - 3) }
        return words.joined(separator: "  ")
    }

    private var keys: [String] {
        guard mode == .instrument else { return ["q quit"] }
        if helpPage != nil { return ["? more", "any other key closes it", "q quit"] }
        if hand != nil, let state {
            let key = Key(root: state.root, scale: state.scale)
            return ["\(handTrack.title): \(KeyHand.legend(of: handTrack, key))", "Shift accent", "Esc ends", "? help"]
        }
        let quit = ["? help", "q quit"]
        switch cursor.finger {
        case .up:
            return [
                "Space play", "arrows, Enter tap", "h hold", "d drag", "k keys", "r record", "1-8 scene", "+ - tempo",
                "^Z undo",
                "^Y redo", "Del clear",
            ] + quit
        case .aboutToDrag: return ["arrows drag", "Esc cancel"] + quit
        case .down: return ["Enter lifts the finger", "arrows drag", "Esc cancel"] + quit
        }
    }

    /// The name of the cell under the mouse or the cursor.
    private var pointedName: String? {
        guard helpPage == nil else { return nil }
        let cell = hovered ?? (cursor.isShown ? (cursor.column, cursor.row) : nil)
        return cell.map {
            Layout.name(
                ofColumn: $0.column, row: $0.row, label: labels[$0.column, $0.row],
                lenses: state?.lenses ?? OpenLenses())
        }
    }

    /// Transport, tempo, key, scene and open lenses, and what is wrong with the sound, as far as there is room.
    private var statusLine: String {
        guard let state else { return "" }
        let transport =
            state.transport.state == .stopped
            ? "STOPPED" : "\(state.transport.state.rawValue.uppercased()) \(state.transport.step + 1)/\(state.length)"
        let sync = state.sync.following == .own ? "" : " \(state.sync.following.name.uppercased())"
        let music = ["\(state.tempo.inWords) BPM\(sync)", "\(state.root.name) \(state.scale.name.uppercased())"]
        let late = xruns > 0 ? ["\(xruns) \(xruns == 1 ? "XRUN" : "XRUNS")"] : []
        let trouble = state.audio.trouble.map { [$0] } ?? late
        let full = ([transport.padded(to: 13)] + music + [state.sceneInWords] + state.lensesInWords + trouble)
            .joined(separator: "  ")
        if full.count <= size.columns { return full }
        let brief = [transport] + music + (state.lensesInWords.isEmpty ? [state.sceneInWords] : state.lensesInWords)
        return [brief + trouble, [transport] + music + trouble].lazy
            .flatMap { [$0.joined(separator: "  "), $0.joined(separator: " ")] }
            .first { $0.count <= size.columns } ?? transport
    }
}

extension InstrumentState {
    /// The scene that plays on all tracks, if they play the same.
    fileprivate var sceneInWords: String {
        let playing = Set(slots.map(\.playing))
        return playing.count == 1 ? "SCENE \(playing.first ?? 1)" : "MIXED SCENES"
    }

    /// The open lenses, each with its track.
    fileprivate var lensesInWords: [String] {
        Track.allCases.compactMap { track in lenses[track].map { "\(track.name): \($0.name)".uppercased() } }
    }
}

extension AudioState {
    /// Why nothing can be heard, nil while something can.
    fileprivate var trouble: String? {
        switch status {
        case .running: nil
        case .noServer: "NO JACK"
        case .lost: "JACK LOST"
        case .off: "NO AUDIO"
        }
    }
}

extension Track {
    /// Its name, capitalized.
    fileprivate var title: String { name.prefix(1).uppercased() + name.dropFirst() }
}
