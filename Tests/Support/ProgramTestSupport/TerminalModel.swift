import Grid
import TerminalGrid

/// A terminal that understands exactly what the program and a plain shell send, and fails on anything else. It computes
/// the screen independently of the code that draws.
public struct TerminalModel: Sendable {
    /// A control sequence that should not be sent.
    public struct UnknownSequence: Error {
        let sequence: String
    }

    public private(set) var screen: Screen
    /// The private modes that are set: 25 the cursor, 1002, 1003 and 1006 the mouse, 1049 the alternate screen.
    public private(set) var modes: Set<Int> = [25]
    /// How many characters were written on it.
    public private(set) var charactersWritten = 0
    /// How many requests for reports of keys the alternate screen has (kitty's keyboard protocol).
    public private(set) var keyReports = 0
    private var style = Glyph.blank
    private var cursor: (column: Int, row: Int) = (0, 0)
    /// The normal screen while the alternate one is used.
    private var ordinary: (screen: Screen, cursor: (column: Int, row: Int))?
    /// An incomplete sequence or character.
    private var pending: [UInt8] = []

    /// A terminal with one character all over it.
    public init(size: TerminalSize, filledWith glyph: Glyph = .blank) {
        screen = Screen(size: size)
        for row in 0..<size.rows {
            for column in 0..<size.columns { screen[column, row] = glyph }
        }
    }

    /// Resizes and clears it.
    public mutating func resize(to size: TerminalSize) {
        screen = Screen(size: size)
        ordinary?.screen = Screen(size: size)
        cursor = (0, 0)
    }

    public mutating func receive(_ text: String) throws {
        try receive(Array(text.utf8))
    }

    /// Receives bytes, split anywhere.
    public mutating func receive(_ bytes: [UInt8]) throws {
        var rest = (pending + bytes)[...]
        while let first = rest.first {
            let length = first == 0x1b ? TerminalModel.sequenceLength(rest) : TerminalModel.characterLength(first)
            guard let length, length <= rest.count else { break }
            if first == 0x1b, rest[rest.startIndex + length - 1] == 0x1b {
                // Terminals drop a sequence that another one interrupts, as when a program is killed while it draws.
                rest.removeFirst(length - 1)
                continue
            }
            let piece = String(decoding: rest.prefix(length), as: UTF8.self)
            rest.removeFirst(length)
            if first == 0x1b { try control(piece) } else { write(piece) }
        }
        pending = Array(rest)
    }

    /// A line of the screen as text, without trailing blanks.
    public func line(_ row: Int) -> String {
        let text = String((0..<screen.size.columns).map { screen[$0, row].character })
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    /// Whether its lines, which end in `\n`, contain a text.
    public func shows(_ text: String) -> Bool {
        (0..<screen.size.rows).map { line($0) + "\n" }.joined().contains(text)
    }

    /// The picture in the middle above two lines of text, read from the characters; nil when there is none.
    public var frame: Frame? {
        guard let placement = GridPlacement(centeredIn: screen.size, linesBelow: 2) else { return nil }
        let half: Character = "\u{2580}"
        var cells: [UInt32] = []
        for row in 0..<Frame.rows {
            for column in 0..<Frame.columns {
                let color: Color? =
                    switch placement.style {
                    case .twoColumns: wholeCell(column, row, placement)
                    case .halfBlocks:
                        halfCell(
                            screen[placement.column + column, placement.row + row / 2], half, isLower: row % 2 == 1)
                    }
                guard let color else { return nil }
                cells.append(color.rgb)
            }
        }
        return Frame(cells: cells)
    }

    private func wholeCell(_ column: Int, _ row: Int, _ placement: GridPlacement) -> Color? {
        let (left, top) = (placement.column + 2 * placement.scale * column, placement.row + placement.scale * row)
        let glyph = screen[left, top]
        guard glyph.character == " " else { return nil }
        for line in top..<top + placement.scale {
            for place in left..<left + 2 * placement.scale where screen[place, line] != glyph { return nil }
        }
        return glyph.background
    }

    private func halfCell(_ glyph: Glyph, _ half: Character, isLower: Bool) -> Color? {
        guard glyph.character == half else { return nil }
        return isLower ? glyph.background : glyph.foreground
    }

    /// The length of a control sequence `ESC [ ... letter`, or of an incomplete one up to the ESC that interrupts it;
    /// nil while its end is missing.
    private static func sequenceLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        bytes.dropFirst(2).firstIndex { (0x40...0x7e).contains($0) || $0 == 0x1b }.map { $0 - bytes.startIndex + 1 }
    }

    /// The length of a character in UTF-8.
    private static func characterLength(_ first: UInt8) -> Int {
        switch first {
        case 0xc0...0xdf: 2
        case 0xe0...0xef: 3
        case 0xf0...0xff: 4
        default: 1
        }
    }

    private mutating func write(_ character: String) {
        switch character {
        case "\r": cursor.column = 0
        case "\n": cursor.row = min(cursor.row + 1, screen.size.rows - 1)
        case "\u{8}": cursor.column = max(cursor.column - 1, 0)
        case "\u{7}": break
        default:
            screen[cursor.column, cursor.row] = Glyph(
                Character(character), foreground: style.foreground, background: style.background)
            cursor.column += 1
            charactersWritten += 1
        }
    }

    private mutating func control(_ sequence: String) throws {
        let parameters = sequence.dropFirst(2).dropLast()
        let isPrivate = parameters.first == "?"
        let numbers = (isPrivate ? parameters.dropFirst() : parameters).split(separator: ";").compactMap { Int($0) }
        switch (sequence.last, isPrivate) {
        // The ordinary screen's belong to the shell.
        case ("u", false) where parameters == ">15" && modes.contains(1049): keyReports += 1
        case ("u", false) where parameters == "<" && modes.contains(1049): keyReports = max(keyReports - 1, 0)
        case ("H", false) where numbers.count == 2: cursor = (numbers[1] - 1, numbers[0] - 1)
        case ("J", false) where numbers == [2]: screen = Screen(size: screen.size)
        case ("m", false): try setStyle(numbers)
        case ("h", true): for mode in numbers { set(mode: mode) }
        case ("l", true): for mode in numbers { reset(mode: mode) }
        default: throw UnknownSequence(sequence: sequence)
        }
    }

    private mutating func set(mode: Int) {
        guard modes.insert(mode).inserted, mode == 1049 else { return }
        ordinary = (screen, cursor)
        screen = Screen(size: screen.size)
    }

    private mutating func reset(mode: Int) {
        guard modes.remove(mode) != nil, mode == 1049, let ordinary else { return }
        (screen, cursor) = ordinary
        self.ordinary = nil
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
            case 30...37: style.foreground = TerminalModel.sixteen[code - 30]
            case 40...47: style.background = TerminalModel.sixteen[code - 40]
            case 90...97: style.foreground = TerminalModel.sixteen[code - 90 + 8]
            case 100...107: style.background = TerminalModel.sixteen[code - 100 + 8]
            default: throw UnknownSequence(sequence: "\(code)m")
            }
        }
    }

    /// The colours of a PC's text mode, bright ones last.
    public static let sixteen = [
        0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa,
        0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff,
    ].map { Color($0) }

    private func color(_ codes: inout ArraySlice<Int>) throws -> Color {
        switch codes.popFirst() {
        case 2:
            guard codes.count >= 3 else { break }
            let parts = (0..<3).map { _ in UInt8(codes.removeFirst()) }
            return Color(red: parts[0], green: parts[1], blue: parts[2])
        case 5:
            guard let index = codes.popFirst(), (16...255).contains(index) else { break }
            return TerminalModel.paletteColor(index)
        default: break
        }
        throw UnknownSequence(sequence: "colour")
    }

    /// A colour of xterm's palette of 256, as its documentation builds them.
    private static func paletteColor(_ index: Int) -> Color {
        guard index < 232 else {
            let grey = UInt8(8 + 10 * (index - 232))
            return Color(red: grey, green: grey, blue: grey)
        }
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        let cube = index - 16
        return Color(red: levels[cube / 36], green: levels[cube / 6 % 6], blue: levels[cube % 6])
    }
}
