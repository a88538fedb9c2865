/// Turns the bytes from a terminal into keys and mouse events: a state machine fed byte by byte, so that it does not
/// matter where the stream is split.
///
/// It understands ECMA-48 control sequences, xterm's mouse reports (SGR, mode 1006, and the older form of terminals
/// that lack it), and UTF-8. It drops unknown sequences whole, and what is pasted (mode 2004), so that they never turn
/// into keys.
public struct InputDecoder: Sendable {
    private enum State {
        case ground
        /// After an escape character: alone it is the Escape key, otherwise a sequence begins.
        case escape
        /// After `ESC O`: one more byte names a key, unless parameters precede it.
        case singleShift
        /// After `ESC [`; the parameters so far.
        case sequence([UInt8])
        /// After `ESC [ M`: three bytes of an old mouse report follow.
        case oldMouse([UInt8])
        /// Something is pasted; how many bytes of the end's mark have come.
        case paste(Int)
        /// The first bytes of a character.
        case character([UInt8], missing: Int)
    }

    /// Terminals do not send longer sequences.
    private static let longestSequence = 32

    /// The parameters of the sequence in front of what is pasted.
    private static let pasteStart = Array("200".utf8)
    /// What follows it.
    private static let pasteEnd = Array("\u{1b}[201~".utf8)

    private var state = State.ground

    /// A decoder at the start of a stream.
    public init() {}

    /// Whether bytes are pending, which ``flush()`` would end.
    public var isPending: Bool {
        if case .ground = state { false } else { true }
    }

    /// Whether something is pasted, whose end may be far away.
    public var isPasting: Bool {
        if case .paste = state { true } else { false }
    }

    /// Parses the next byte.
    ///
    /// - Returns: The event that it completes, if any.
    public mutating func decode(_ byte: UInt8) -> InputEvent? {
        switch state {
        case .ground: decodeFirst(byte)
        case .escape: decodeAfterEscape(byte)
        case .singleShift: decodeSingleShift(byte)
        case .sequence(let parameters): decodeSequence(byte, parameters)
        case .oldMouse(let report): decodeOldMouse(byte, report)
        case .paste(let count): decodePaste(byte, count)
        case .character(let bytes, let missing): decodeContinuation(byte, bytes, missing: missing)
        }
    }

    /// Ends a pending sequence because nothing followed for a while: a lone escape character was the Escape key.
    public mutating func flush() -> InputEvent? {
        defer { state = .ground }
        if case .escape = state { return .key(.escape) }
        return nil
    }

    private mutating func decodeFirst(_ byte: UInt8) -> InputEvent? {
        state = .ground
        switch byte {
        case 0x1b: state = .escape
        case 0x0d: return .key(.enter)
        case 0x09: return .key(.tab)
        case 0x08, 0x7f: return .key(.backspace)
        case 0x00...0x1f: return .key(.control(Character(controlByte: byte)))
        case 0x20...0x7e: return .key(.character(Character(Unicode.Scalar(byte))))
        case 0xc2...0xdf: state = .character([byte], missing: 1)
        case 0xe0...0xef: state = .character([byte], missing: 2)
        case 0xf0...0xf4: state = .character([byte], missing: 3)
        default: break
        }
        return nil
    }

    private mutating func decodeAfterEscape(_ byte: UInt8) -> InputEvent? {
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .singleShift
        // Twice: the first one was the Escape key.
        case 0x1b: return .key(.escape)
        // Alt with a key is not used.
        default: state = .ground
        }
        return nil
    }

    private mutating func decodeSingleShift(_ byte: UInt8) -> InputEvent? {
        state = .ground
        switch byte {
        case 0x1b: return decodeFirst(byte)
        case 0x30...0x39, UInt8(ascii: ";"):
            // A key together with Shift, Alt or Control: it goes on like a control sequence.
            state = .sequence([byte])
            return nil
        default: return TerminalKey(cursorKey: byte).map { .key($0) }
        }
    }

    private mutating func decodeSequence(_ byte: UInt8, _ parameters: [UInt8]) -> InputEvent? {
        switch byte {
        case 0x20...0x3f:
            // Too long: still dropped up to its end.
            state = .sequence(parameters.count < InputDecoder.longestSequence ? parameters + [byte] : parameters)
            return nil
        case UInt8(ascii: "[") where parameters.isEmpty:
            // The Linux console's function keys: one more byte.
            state = .sequence([byte])
            return nil
        case UInt8(ascii: "M") where parameters.isEmpty:
            state = .oldMouse([])
            return nil
        case UInt8(ascii: "~") where parameters == InputDecoder.pasteStart:
            state = .paste(0)
            return nil
        case 0x40...0x7e:
            state = .ground
            return ControlSequence(parameters: parameters, final: byte).event
        default:
            // Interrupted: the byte begins something else.
            return decodeFirst(byte)
        }
    }

    /// Drops a byte of what is pasted.
    private mutating func decodePaste(_ byte: UInt8, _ count: Int) -> InputEvent? {
        let end = InputDecoder.pasteEnd
        let matched = byte == end[count] ? count + 1 : byte == end[0] ? 1 : 0
        state = matched == end.count ? .ground : .paste(matched)
        return nil
    }

    private mutating func decodeOldMouse(_ byte: UInt8, _ report: [UInt8]) -> InputEvent? {
        let report = report + [byte]
        guard report.count == 3 else {
            state = .oldMouse(report)
            return nil
        }
        state = .ground
        guard report.allSatisfy({ $0 > 32 }) || report[0] == 32 else { return nil }
        return MouseEvent(code: Int(report[0]) - 32, x: Int(report[1]) - 32, y: Int(report[2]) - 32, isRelease: false)
            .map { .mouse($0) }
    }

    private mutating func decodeContinuation(_ byte: UInt8, _ bytes: [UInt8], missing: Int) -> InputEvent? {
        guard byte & 0xc0 == 0x80 else { return decodeFirst(byte) }
        guard missing == 1 else {
            state = .character(bytes + [byte], missing: missing - 1)
            return nil
        }
        state = .ground
        return String(validating: bytes + [byte], as: UTF8.self)?.first.map { .key(.character($0)) }
    }
}

extension Character {
    /// The key that produces a control character together with Control.
    fileprivate init(controlByte byte: UInt8) {
        let key = Unicode.Scalar(byte | 0x40)
        self = Character(key)
        if key.properties.isUppercase { self = Character(Unicode.Scalar(byte | 0x60)) }
    }
}
