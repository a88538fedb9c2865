import Grid
import Instrument
import Music

/// One controller: its page, the fingers on it, and its lights, without devices or clocks.
public struct Deck: Sendable {
    public enum Action: Equatable, Sendable {
        case touch(Touch)
        /// Arms or disarms recording.
        case record(Bool)
    }

    public enum Spot: Hashable, Sendable {
        case pad(PadPosition)
        case button(PadButton)
    }

    /// A button without a function now, one with a function, and the record button while armed and disarmed.
    private enum Shade {
        static let idle = Color(0x222222)
        static let ready = Color(0x888888)
        static let recording = Color(0xff0000)
        static let armable = Color(0x330000)
    }

    public private(set) var page: Page
    /// Whether the controller has no buttons, so that its last row must stand in for them.
    private let isBare: Bool
    private var fingers: Fingers
    private var down: Set<PadPosition> = []
    private var pressed: [PadButton: Touch] = [:]
    private var frame: Frame?
    private var nextButtonTouch: Int

    /// - Parameters:
    ///   - isBare: Whether it has no buttons beside its pads.
    ///   - number: A number that no other controller has, for distinct touches.
    public init(_ field: PadField, isBare: Bool, number: Int) {
        page = Page(field)
        self.isBare = isBare
        let firstID = number * 1_000_000
        fingers = Fingers(firstID: firstID)
        nextButtonTouch = firstID + 500_000
    }

    // MARK: Playing

    public mutating func press(_ pad: PadPosition) -> [Action] {
        down.insert(pad)
        if showsButtons {
            if isShifting(pad) { return fingers.cancelAll().map { .touch($0) } }
            return button(at: pad).map { press($0) } ?? []
        }
        guard let cell = page.cell(of: pad) else { return [] }
        return fingers.press(pad, on: cell).map { [.touch($0)] } ?? []
    }

    public mutating func release(_ pad: PadPosition) -> [Action] {
        let button = showsButtons ? button(at: pad) : nil
        down.remove(pad)
        if let button, pressed[button] != nil { return release(button) }
        let ended = isBare && !showsButtons ? pressed.keys.flatMap { release($0) } : []
        return ended + (fingers.release(pad).map { [.touch($0)] } ?? [])
    }

    public mutating func press(_ button: PadButton) -> [Action] {
        switch button {
        case .left: turn { $0.turn(steps: -1) }
        case .right: turn { $0.turn(steps: 1) }
        case .up: turn { $0.turn(tracks: -1) }
        case .down: turn { $0.turn(tracks: 1) }
        case .record: [.record(!isArmed)]
        case .play, .undo, .redo, .mute, .solo, .lens: hold(button)
        }
    }

    public mutating func release(_ button: PadButton) -> [Action] {
        guard var touch = pressed.removeValue(forKey: button) else { return [] }
        touch.phase = .up
        return [.touch(touch)]
    }

    /// Turns to the page of the playing step, unless a finger is down.
    public mutating func follow(_ event: StepEvent) {
        if !fingers.isTouching { page.follow(event) }
    }

    /// Cancels all touches, as when the controller or the daemon is gone; pads that are down have no further effect.
    public mutating func cancelAll() -> [Action] {
        let touches = fingers.cancelAll() + pressed.values.map { Touch(id: $0.id, phase: .cancel, x: $0.x, y: $0.y) }
        pressed = [:]
        return touches.map { .touch($0) }
    }

    /// Turns the page, and cancels the touches on the previous one.
    private mutating func turn(_ change: (inout Page) -> Void) -> [Action] {
        let before = page
        change(&page)
        return page == before ? [] : fingers.cancelAll().map { .touch($0) }
    }

    private mutating func hold(_ button: PadButton) -> [Action] {
        guard pressed[button] == nil, let cell = button.cell(on: page) else { return [] }
        nextButtonTouch += 1
        let touch = Touch(id: nextButtonTouch, .down, column: cell.column, row: cell.row)
        pressed[button] = touch
        return [.touch(touch)]
    }

    // MARK: The last row as buttons

    private static let lastScene = 7

    /// Scenes 1 and 8, which turn the rest of the row into buttons while both are held.
    private var shift: [PadPosition] {
        [0, Self.lastScene].map { PadPosition(column: $0, row: page.field.sceneRow) }
    }

    private func isShifting(_ pad: PadPosition) -> Bool { shift.contains(pad) }

    /// Whether the last row stands in for buttons now.
    private var showsButtons: Bool { isBare && shift.allSatisfy(down.contains) }

    /// The button that a pad replaces: pads of the last row between scenes 1 and 8, then those after them or, if there
    /// are none, those above.
    private func button(at pad: PadPosition) -> PadButton? {
        let (row, between) = (page.field.sceneRow, Self.lastScene - 1)
        switch pad.row {
        case row where (1...between).contains(pad.column): return PadButton(rawValue: pad.column - 1)
        case row where pad.column > Self.lastScene: return PadButton(rawValue: pad.column - 2)
        case row - 1 where page.field.columns == 8 && (1...between).contains(pad.column):
            return PadButton(rawValue: between + pad.column - 1)
        default: return nil
        }
    }

    // MARK: Lights

    public mutating func show(_ frame: Frame?) { self.frame = frame }

    private var isArmed: Bool { color(of: PadButton.playCell).map(PlayColor.isArmed) ?? false }

    private func color(of cell: PadCell) -> Color? { frame?[cell.column, cell.row] }

    /// What all pads and buttons show; dark without a picture.
    public var lights: [Spot: Color] {
        var lights: [Spot: Color] = [:]
        for row in 0..<page.field.rows {
            for column in 0..<page.field.columns {
                let pad = PadPosition(column: column, row: row)
                lights[.pad(pad)] = color(of: pad)
            }
        }
        for button in PadButton.allCases where !isBare { lights[.button(button)] = color(of: button) }
        return lights
    }

    private func color(of pad: PadPosition) -> Color {
        if showsButtons, pad.row >= page.field.sceneRow - 1 {
            if isShifting(pad) { return .white }
            if let button = button(at: pad) { return color(of: button) }
        }
        return page.cell(of: pad).flatMap(color) ?? Color(0)
    }

    private func color(of button: PadButton) -> Color {
        guard frame != nil else { return Color(0) }
        switch button {
        case .left: return page.canTurn(steps: -1) ? Shade.ready : Shade.idle
        case .right: return page.canTurn(steps: 1) ? Shade.ready : Shade.idle
        case .up: return page.canTurn(tracks: -1) ? Shade.ready : Shade.idle
        case .down: return page.canTurn(tracks: 1) ? Shade.ready : Shade.idle
        case .record: return isArmed ? Shade.recording : Shade.armable
        case .lens:
            let open = color(of: PadCell(column: Layout.lensColumn, row: Layout.rows(of: page.track).lowerBound))
            return open.flatMap { $0 == .background ? nil : $0 } ?? Shade.ready
        case .play, .undo, .redo, .mute, .solo: return button.cell(on: page).flatMap(color) ?? Color(0)
        }
    }
}
