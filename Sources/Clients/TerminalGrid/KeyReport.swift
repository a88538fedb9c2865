/// A key in kitty's keyboard protocol, which tells presses from releases.
public struct KeyReport: Equatable, Sendable {
    public enum Action: Int, Equatable, Sendable {
        case press = 1
        case repetition
        case release
    }

    public var action: Action
    /// What the key means, with Shift and Control.
    public var key: TerminalKey
    /// The character of the key in this place on a US keyboard, in lower case; nil where the terminal does not know it.
    public var place: Character?
    /// Whether Shift is down.
    public var isShifted: Bool

    public init(_ action: Action, _ key: TerminalKey, place: Character? = nil, isShifted: Bool = false) {
        self.action = action
        self.key = key
        self.place = place
        self.isShifted = isShifted
    }
}

extension KeyReport {
    /// Reads `ESC [ key : shifted : place ; modifiers : action ; text u`, and `ESC [ 1 ; modifiers : action A` of cursor
    /// keys; nil for keys that are not used, such as Shift alone, and for other modifiers than Shift and Control.
    init?(fields: [[Int?]], final: UInt8) {
        let codes = fields.first ?? []
        let modifiers = (fields.count > 1 ? fields[1].first ?? nil : nil) ?? 1
        let action = (fields.count > 1 && fields[1].count > 1 ? fields[1][1] : nil) ?? 1
        // Caps Lock and Num Lock do not matter.
        let bits = (modifiers - 1) & 0b11_1111
        guard modifiers >= 1, let action = Action(rawValue: action), bits & ~0b101 == 0 else { return nil }
        let (isShifted, isControlled) = (bits & 1 != 0, bits & 4 != 0)
        func code(_ index: Int) -> Int? { index < codes.count ? codes[index] : nil }
        func character(_ code: Int?) -> Character? {
            // The private use area has keys without characters.
            guard let code, code >= 32, !(0xe000...0xf8ff).contains(code) else { return nil }
            return Unicode.Scalar(UInt32(code)).map(Character.init)
        }
        let key: TerminalKey?
        switch final {
        case UInt8(ascii: "u"):
            key = TerminalKey(
                code: code(0) ?? 0, character: character(code(0)), shifted: isShifted ? character(code(1)) : nil,
                isShifted: isShifted, isControlled: isControlled)
        case UInt8(ascii: "~"): key = bits == 0 ? TerminalKey(number: code(0).map { [$0] }) : nil
        default: key = bits == 0 ? TerminalKey(cursorKey: final) : nil
        }
        guard let key else { return nil }
        self.init(action, key, place: character(code(2) ?? code(0)), isShifted: isShifted)
    }
}

extension TerminalKey {
    /// A key by its number in kitty's protocol.
    fileprivate init?(
        code: Int, character: Character?, shifted: Character?, isShifted: Bool, isControlled: Bool
    ) {
        switch code {
        case 27: self = .escape
        case 13: self = .enter
        case 9: self = isShifted ? .backTab : .tab
        case 127: self = .backspace
        default:
            guard let character else { return nil }
            if isControlled {
                self = .control(character)
            } else if isShifted {
                let upper = character.uppercased()
                self = .character(shifted ?? (upper.count == 1 ? Character(upper) : character))
            } else {
                self = .character(character)
            }
        }
    }
}
