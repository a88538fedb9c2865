import Grid
import PixelBoopClient
import TerminalGrid
import Wire

/// What the daemon is to do because of a key or the mouse.
enum InstrumentCommand: Equatable, Sendable {
    case touch(Touch)
    case toggle
    case undo
    case redo
    case clear
    /// Launch a scene, 1 to 8.
    case scene(Int)
}

/// What a person at the terminal sees and does: everything but the effects.
struct InstrumentModel {
    /// What the screen is for.
    enum Mode: Sendable {
        /// To play.
        case instrument
        /// Only to look at.
        case display
    }

    /// What a key or the mouse leads to.
    enum Reaction: Equatable {
        case none
        case send([InstrumentCommand])
        case quit
    }

    /// Text below the grid: the status, and the keys or what is wrong.
    static let linesBelow = 2

    let mode: Mode
    var size: TerminalSize
    /// The newest picture, nil before the first.
    var frame: Frame?
    var state: InstrumentState?
    var xruns = 0
    /// Why there is no connection, nil while there is one.
    var trouble: String?
    /// What the daemon refused last, until the next key.
    var notice: String?
    private var finger = Finger()

    init(mode: Mode, size: TerminalSize) {
        self.mode = mode
        self.size = size
    }

    /// Where the grid is, nil when the terminal is too small.
    var placement: GridPlacement? {
        (0...InstrumentModel.linesBelow).reversed().lazy
            .compactMap { GridPlacement(centeredIn: size, linesBelow: $0) }.first
    }

    /// Takes the finger off, because the mouse may have been let go unseen.
    mutating func liftFinger() -> [InstrumentCommand] {
        finger.cancel().map { [.touch($0)] } ?? []
    }

    mutating func react(to input: InputEvent) -> Reaction {
        notice = nil
        switch input {
        case .key(let key): return react(to: key)
        case .mouse(let event):
            guard mode == .instrument, trouble == nil, let placement else { return .none }
            return finger.touch(for: event, on: placement).map { .send([.touch($0)]) } ?? .none
        }
    }

    private func react(to key: TerminalKey) -> Reaction {
        switch (key, mode) {
        case (.character("q"), _), (.control("c"), _): .quit
        case (_, .display): .none
        case (.character(" "), .instrument): .send([.toggle])
        case (.control("z"), .instrument): .send([.undo])
        case (.control("y"), .instrument): .send([.redo])
        case (.delete, .instrument): .send([.clear])
        case (.character(let digit), .instrument) where ("1"..."8").contains(digit):
            digit.wholeNumberValue.map { .send([.scene($0)]) } ?? .none
        case (.up, .instrument): .send(tap(.tempoUp))
        case (.down, .instrument): .send(tap(.tempoDown))
        default: .none
        }
    }

    /// A tap on a control: unlike a tempo worked out here, two in quick succession add up.
    private func tap(_ control: ControlCell) -> [InstrumentCommand] {
        let id = Finger.id + 1
        let column = control.columns.lowerBound
        return [.down, .up].map { .touch(Touch(id: id, $0, column: column, row: Layout.controlRow)) }
    }
}
