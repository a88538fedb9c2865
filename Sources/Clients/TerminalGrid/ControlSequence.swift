/// A control sequence from a terminal: `ESC [`, parameters, and a final byte.
struct ControlSequence {
    let parameters: [UInt8]
    let final: UInt8

    /// The event, nil if the sequence is not used.
    var event: InputEvent? {
        if parameters.first == UInt8(ascii: "<") { return mouse.map { .mouse($0) } }
        if final == UInt8(ascii: "u") || parameters.contains(UInt8(ascii: ":")) {
            return KeyReport(fields: fields, final: final).map { .report($0) }
        }
        if final == UInt8(ascii: "~") { return TerminalKey(number: numbers).map { .key($0) } }
        // Cursor keys with Shift, Alt or Control have parameters, and count as other keys.
        return parameters.isEmpty ? TerminalKey(cursorKey: final).map { .key($0) } : nil
    }

    /// The parameters, each with what colons separate; nil for an empty number.
    private var fields: [[Int?]] {
        parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
            field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
                .map { Int(String(decoding: $0, as: UTF8.self)) }
        }
    }

    private var numbers: [Int]? { numbers(in: parameters[...]) }

    private func numbers(in bytes: ArraySlice<UInt8>) -> [Int]? {
        let fields = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let numbers = fields.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        return numbers.count == fields.count ? numbers : nil
    }

    private var mouse: MouseEvent? {
        guard final == UInt8(ascii: "M") || final == UInt8(ascii: "m"),
            let numbers = numbers(in: parameters.dropFirst()),
            numbers.count == 3
        else { return nil }
        return MouseEvent(code: numbers[0], x: numbers[1], y: numbers[2], isRelease: final == UInt8(ascii: "m"))
    }
}

extension TerminalKey {
    /// A key by the number in its sequence; the Linux console and rxvt have their own numbers for Home and End.
    init?(number: [Int]?) {
        switch number {
        case [3]: self = .delete
        case [1], [7]: self = .home
        case [4], [8]: self = .end
        default: return nil
        }
    }

    init?(cursorKey byte: UInt8) {
        switch byte {
        case UInt8(ascii: "A"): self = .up
        case UInt8(ascii: "B"): self = .down
        case UInt8(ascii: "C"): self = .right
        case UInt8(ascii: "D"): self = .left
        case UInt8(ascii: "H"): self = .home
        case UInt8(ascii: "F"): self = .end
        case UInt8(ascii: "Z"): self = .backTab
        default: return nil
        }
    }
}

extension MouseEvent {
    /// An xterm mouse report: button and modifiers in `code`, column and row from 1. Nil for the wheel and for invalid
    /// reports.
    init?(code: Int, x: Int, y: Int, isRelease: Bool) {
        let (button, isMotion, isWheelOrOther) = (code & 3, code & 32 != 0, code & ~63 != 0)
        guard code >= 0, !isWheelOrOther, (1...10_000).contains(x), (1...10_000).contains(y) else { return nil }
        // 3 is a release in the old form, and a movement without a button in every form.
        let action: Action =
            isMotion ? (button == 3 ? .move : .drag) : isRelease || button == 3 ? .release : .press
        self.init(action, Button(rawValue: button), column: x - 1, row: y - 1)
    }
}
