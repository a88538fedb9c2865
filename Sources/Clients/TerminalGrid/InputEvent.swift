/// A key or a mouse event at a terminal.
public enum InputEvent: Equatable, Sendable {
    case key(TerminalKey)
    /// A key of a terminal that reports releases.
    case report(KeyReport)
    case mouse(MouseEvent)
}

public enum TerminalKey: Equatable, Sendable {
    /// A character, space included.
    case character(Character)
    /// Control and a letter, in lower case, or one of `@ [ \ ] ^ _`.
    case control(Character)
    case up
    case down
    case left
    case right
    case home
    case end
    case enter
    case tab
    case backTab
    case backspace
    case delete
    case escape
}

public struct MouseEvent: Equatable, Sendable {
    public enum Action: Equatable, Sendable {
        case press
        /// The mouse moved while the button was down.
        case drag
        /// The mouse moved without a button.
        case move
        case release
    }

    public enum Button: Int, Equatable, Sendable {
        case left
        case middle
        case right
    }

    /// What happened to the button.
    public var action: Action
    /// The button; nil for a movement without one, and for a release on terminals that do not report which.
    public var button: Button?
    /// The terminal's column, from 0.
    public var column: Int
    /// The terminal's row, from 0.
    public var row: Int

    /// Something that the mouse did at a place.
    public init(_ action: Action, _ button: Button?, column: Int, row: Int) {
        self.action = action
        self.button = button
        self.column = column
        self.row = row
    }
}
