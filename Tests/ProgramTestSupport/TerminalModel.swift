import Grid

@testable import TerminalGrid

/// A terminal that understands exactly the control sequences which screens are drawn with, and fails on any other.
struct FakeTerminal {
    private(set) var screen: Screen
    private(set) var charactersWritten = 0
    private var style = Glyph.blank
    private var cursor: (column: Int, row: Int) = (0, 0)

    struct UnknownSequence: Error {
        var sequence: String
    }

    init(size: TerminalSize) {
        screen = Screen(size: size)
        // Whatever was there before.
        for row in 0..<size.rows {
            for column in 0..<size.columns { screen[column, row] = Glyph("#", background: Color(0x123456)) }
        }
    }

    mutating func receive(_ output: String) throws {
        var rest = Substring(output)
        while let character = rest.popFirst() {
            if character == "\u{1b}" {
                try control(&rest)
            } else {
                screen[cursor.column, cursor.row] = Glyph(
                    character, foreground: style.foreground, background: style.background)
                cursor.column += 1
                charactersWritten += 1
            }
        }
    }

    private mutating func control(_ rest: inout Substring) throws {
        guard let end = rest.dropFirst().firstIndex(where: { $0.isLetter }) else {
            throw UnknownSequence(sequence: String(rest))
        }
        let sequence = rest[...end]
        rest = rest[rest.index(after: end)...]
        let parameters = sequence.dropFirst().dropLast()
        switch sequence.last {
        case "H":
            let place = parameters.split(separator: ";").compactMap { Int($0) }
            cursor = (place[1] - 1, place[0] - 1)
        case "J": screen = Screen(size: screen.size)
        case "m": try setStyle(parameters.split(separator: ";").compactMap { Int($0) })
        case "h", "l": break
        default: throw UnknownSequence(sequence: String(sequence))
        }
    }

    private mutating func setStyle(_ codes: [Int]) throws {
        var codes = codes[...]
        while let code = codes.popFirst() {
            switch code {
            case 0: style = .blank
            case 39: style.foreground = nil
            case 49: style.background = nil
            case 38: style.foreground = try color(&codes)
            case 48: style.background = try color(&codes)
            default: throw UnknownSequence(sequence: "\(code)m")
            }
        }
    }

    private func color(_ codes: inout ArraySlice<Int>) throws -> Color {
        guard codes.popFirst() == 2, let red = codes.popFirst(), let green = codes.popFirst(),
            let blue = codes.popFirst()
        else { throw UnknownSequence(sequence: "colour") }
        return Color(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
    }
}
