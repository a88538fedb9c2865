import Grid
import Instrument
import Music
import PixelBoopClient
import TerminalGrid
import Wire

/// A command to the daemon from a key or the mouse.
enum InstrumentCommand: Equatable, Sendable {
    case touch(Touch)
    case toggle
    case undo
    case redo
    case clear
    case newPattern
    /// Start or stop recording the MIDI input.
    case record(Bool)
    /// Write the keys that were played, but not recorded.
    case catchKeys
    /// Launch a scene, 1 to 8.
    case scene(Int)
    /// Open a lens on a track; nil closes it.
    case lens(Track, Lens?)
    /// Freeze what the dice decided on a track.
    case freeze(Track)
    /// Hold or release FILL.
    case fill(Bool)
    case press(PlayedKey, velocity: Int)
    case release(PlayedKey)
    /// Press a key that the terminal does not release, for a time.
    case strike(PlayedKey, velocity: Int, seconds: Double)
    /// Hold a punch-in that the terminal does not end, for a time.
    case strikePunchIn(PunchKey)
}

/// The screen and the input of the terminal instrument, without side effects.
struct InstrumentModel {
    enum Mode: Sendable {
        case instrument
        case display
    }

    enum Reaction: Equatable {
        case none
        case send([InstrumentCommand])
        case quit
    }

    /// Lines of text below the grid: the status, and the keys or an error.
    static let linesBelow = 2

    let mode: Mode
    private(set) var size: TerminalSize
    /// The newest picture, nil before the first.
    var frame: Frame?
    /// The labels of the cells; empty if the daemon does not send them.
    var labels = Labels()
    var state: InstrumentState?
    var xruns = 0
    /// Why there is no connection, nil while there is one. Fingers end with their connection.
    var trouble: String? {
        didSet { if trouble != nil { _ = liftFingers() } }
    }
    /// The last refusal of the daemon, until the next key.
    var notice: String?
    /// Whether names are written on the notes; nil shows them only with the safe colours.
    private(set) var namesAreChosen: Bool?
    private(set) var helpPage: Int?
    private(set) var cursor = Cursor()
    /// The cell under the mouse, until a key moves the cursor.
    private(set) var hovered: (column: Int, row: Int)?
    private var finger = Finger()
    /// The keys that play a track; nil while they have their other meanings.
    private(set) var hand: KeyHand?
    private var punchKeys = PunchKeys()
    /// The track that they play.
    private(set) var handTrack = Track.melody

    /// - Parameter names: Whether names are written on the notes; nil shows them only with the safe colours.
    init(mode: Mode, size: TerminalSize, names: Bool? = nil) {
        self.mode = mode
        self.size = size
        namesAreChosen = names
    }

    /// Where the grid is, nil when the terminal is too small.
    var placement: GridPlacement? {
        (0...InstrumentModel.linesBelow).reversed().lazy
            .compactMap { GridPlacement(centeredIn: size, linesBelow: $0) }.first
    }

    /// Whether names are written on the notes: as chosen, else only with the safe colours.
    var showsNames: Bool { namesAreChosen ?? (state?.settings[.colors].name == ColorMode.safe.name) }

    /// Cancels what the fingers do: by Esc, or because the mouse button may have been released unseen.
    mutating func liftFingers() -> [InstrumentCommand] {
        cursor.cancel().map { .touch($0) } + liftMouse() + punchKeys.letGo() + (hand?.letGo() ?? [])
    }

    /// Cancels the mouse's finger where the grid goes out of sight: the release of the button would not count.
    private mutating func liftMouse() -> [InstrumentCommand] {
        [finger.cancel()].compactMap(\.self).map { .touch($0) }
    }

    /// Takes the terminal's new size, which may have no room for the grid.
    mutating func resize(to size: TerminalSize) -> [InstrumentCommand] {
        self.size = size
        return placement == nil ? liftMouse() : []
    }

    mutating func react(to input: InputEvent) -> Reaction {
        notice = nil
        if let commands = playKeys(input) ?? holdPunchIns(input) { return commands.isEmpty ? .none : .send(commands) }
        switch input {
        case .report(let report):
            return report.action == .release ? .none : react(to: .key(report.key))
        case .key(let key):
            if case .quit = react(to: key) { return .quit }
            guard turnPage(key) else { return play(key) }
            return helpPage == nil ? .none : .send(liftMouse() + punchKeys.letGo() + (hand?.letGo() ?? []))
        case .mouse(let event):
            guard mode == .instrument, trouble == nil, let placement else { return .none }
            if helpPage != nil {
                if event.action == .press { helpPage = nil }
                return .none
            }
            return play(event, on: placement)
        }
    }

    /// Whether the terminal should report presses and releases of keys.
    var wantsKeyReports: Bool { mode == .instrument }

    /// The commands of a key that holds a punch-in; nil for all other input.
    private mutating func holdPunchIns(_ input: InputEvent) -> [InstrumentCommand]? {
        guard mode == .instrument, trouble == nil, helpPage == nil else { return nil }
        return punchKeys.react(to: input)
    }

    /// The commands of a key while keys play; nil for all other input.
    private mutating func playKeys(_ input: InputEvent) -> [InstrumentCommand]? {
        guard let state, trouble == nil, helpPage == nil, var hand else { return nil }
        defer { if self.hand != nil { self.hand = hand } }
        if input.key == .escape {
            let commands = hand.letGo()
            self.hand = nil
            return commands
        }
        if let track = pointedTrack { handTrack = track }
        return hand.react(
            to: input, on: handTrack, Key(root: state.root, scale: state.scale), stepSeconds: 15 / state.tempo)
    }

    /// Opens the help, turns its page or closes it; false for other keys.
    private mutating func turnPage(_ key: TerminalKey) -> Bool {
        guard mode == .instrument, key == .character("?") || helpPage != nil else { return false }
        let next = helpPage.map { $0 + 1 } ?? 0
        helpPage = key == .character("?") && next < helpPages.count ? next : nil
        return true
    }

    /// The pages of the help, as long as there is room above the status.
    var helpPages: [[String]] {
        guard let placement else { return [] }
        return HelpText.pages(for: TerminalSize(columns: size.columns, rows: placement.bottom))
    }

    private mutating func play(_ event: MouseEvent, on placement: GridPlacement) -> Reaction {
        let isLower = event.button == .right
        let cell = placement.cell(atColumn: event.column, row: event.row, lowerHalf: isLower)
        hovered = Frame.contains(column: cell.column, row: cell.row) ? cell : nil
        cursor.hide(atColumn: cell.column, row: cell.row)
        return finger.touch(for: event, on: placement).map { .send([.touch($0)]) } ?? .none
    }

    private mutating func play(_ key: TerminalKey) -> Reaction {
        guard mode == .instrument else {
            if key == .character("n") { turnNames() }
            return .none
        }
        if key == .escape {
            let touches = liftFingers()
            return touches.isEmpty ? .none : .send(touches)
        }
        // Without a connection a finger could seem to be down but touch nothing.
        if trouble == nil, let touches = cursor.react(to: key) {
            hovered = nil
            return touches.isEmpty ? .none : .send(touches.map { .touch($0) })
        }
        if key == .character("n") || key == .character("N") {
            turnNames()
            return .none
        }
        return react(to: key)
    }

    /// Shows or hides names on the notes, or says that cells are too small for them.
    private mutating func turnNames() {
        namesAreChosen = !showsNames
        guard showsNames, placement?.style != .twoColumns else { return }
        let needed = CellStyle.twoColumns.gridSize
        notice = "Names need a window of \(needed.columns)x\(needed.rows + InstrumentModel.linesBelow)"
    }

    private mutating func react(to key: TerminalKey) -> Reaction {
        switch (key, mode) {
        case (.character("q"), _), (.control("c"), _): .quit
        case (_, .display): .none
        case (.character(" "), .instrument): .send([.toggle])
        case (.control("z"), .instrument): .send([.undo])
        case (.control("y"), .instrument): .send([.redo])
        case (.delete, .instrument): .send([.clear])
        case (.control("n"), .instrument): .send([.newPattern])
        case (.character("r"), .instrument), (.character("R"), .instrument):
            state.map { .send([.record(!$0.transport.record)]) } ?? .none
        case (.character("i"), .instrument): .send([.catchKeys])
        case (.character(let digit), .instrument) where ("1"..."8").contains(digit):
            digit.wholeNumberValue.map { .send([.scene($0)]) } ?? .none
        case (.character("k"), .instrument): openKeys()
        case (.character("l"), .instrument): turnLens(by: 1)
        case (.character("L"), .instrument): turnLens(by: -1)
        case (.character("z"), .instrument): pointedTrack.map { .send([.freeze($0)]) } ?? .none
        case (.character("f"), .instrument): state.map { .send([.fill(!$0.isFilling)]) } ?? .none
        // "=" is the key of "+" without Shift.
        case (.character("+"), .instrument), (.character("="), .instrument): .send(tap(.tempoUp))
        case (.character("-"), .instrument): .send(tap(.tempoDown))
        default: .none
        }
    }

    /// From now on keys play the track that is pointed at.
    private mutating func openKeys() -> Reaction {
        if state != nil { hand = KeyHand() }
        return .none
    }

    /// The track of the cell under the mouse or the cursor.
    private var pointedTrack: Track? { Layout.track(atRow: hovered?.row ?? cursor.row) }

    /// Steps through the lenses of the track that is pointed at; its notes are one of the stops.
    private func turnLens(by count: Int) -> Reaction {
        guard let state, let track = pointedTrack else { return .none }
        let ring: [Lens?] = [nil] + Lens.allCases
        let place = ring.firstIndex(of: state.lenses[track]) ?? 0
        return .send([.lens(track, ring[(place + count + ring.count) % ring.count])])
    }

    /// Taps a control: two quick taps add up, which two tempos calculated here would not.
    private func tap(_ control: ControlCell) -> [InstrumentCommand] {
        let id = Finger.id + 1
        let column = control.columns.lowerBound
        return [.down, .up].map { .touch(Touch(id: id, $0, column: column, row: Layout.controlRow)) }
    }
}

extension InputEvent {
    /// The key that is pressed, if it is one.
    fileprivate var key: TerminalKey? {
        switch self {
        case .key(let key): key
        case .report(let report): report.action == .press ? report.key : nil
        case .mouse: nil
        }
    }
}

extension InstrumentState {
    /// The tempo that is heard.
    var tempo: Double { sync.following == .own ? bpm : sync.bpm }
}
