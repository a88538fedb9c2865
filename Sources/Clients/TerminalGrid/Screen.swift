import Glibc
import Grid

/// One character of a terminal with its colours; nil for the terminal's own.
public struct Glyph: Equatable, Sendable {
    /// A character that is one column wide.
    public var character: Character
    /// The colour of the character's strokes.
    public var foreground: Color?
    /// The colour around them.
    public var background: Color?

    public init(_ character: Character, foreground: Color? = nil, background: Color? = nil) {
        self.character = character
        self.foreground = foreground
        self.background = background
    }

    /// A space in the terminal's own colours.
    public static let blank = Glyph(" ")

    /// Two cells, one above the other; the upper one has the foreground colour.
    public static let upperHalf: Character = "\u{2580}"
    private static let fullBlock: Character = "\u{2588}"
    /// The ASCII character closest to ``upperHalf``.
    private static let upperMarks: Character = "\""

    /// The glyph as far as a less capable terminal can show it.
    func shown(on kind: TerminalKind) -> Glyph {
        var shown = self
        if kind.depth == .monochrome {
            shown.character = shade
        } else if character == Glyph.upperHalf && !kind.hasBlocks {
            shown.character = Glyph.upperMarks
        } else if character == " " && kind.depth == .sixteen && kind.hasBlocks {
            // On the Linux console only foregrounds can be bright.
            if let background { shown = Glyph(Glyph.fullBlock, foreground: background) }
        }
        return shown
    }

    /// The character for a terminal without colours: cells become one as dense as they are bright on average.
    private var shade: Character {
        guard let background, character == " " || character == Glyph.upperHalf else { return character }
        let cells = foreground.map { [$0, background] } ?? [background]
        let brightness = cells.reduce(0) { $0 + $1.brightness } / cells.count
        return Glyph.shades[brightness * Glyph.shades.count / 256]
    }

    private static let shades = Array(" .:-=+*#%@")
}

extension Color {
    /// Black or white, whichever is easier to read on this colour (WCAG 2.2's contrast, which is then at least 4.5).
    var contrast: Color {
        func linear(_ channel: UInt8) -> Double {
            let share = Double(channel) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        return (luminance + 0.05) * (luminance + 0.05) > 1.05 * 0.05 ? Color(0) : .white
    }

    /// 0 to 255, weighted as ITU-R BT.601 weights luma.
    fileprivate var brightness: Int { (299 * Int(red) + 587 * Int(green) + 114 * Int(blue)) / 1000 }
}

/// The content of a terminal: every character, (0,0) top-left.
public struct Screen: Equatable, Sendable {
    public let size: TerminalSize
    /// The characters, line by line.
    private(set) var glyphs: [Glyph]

    public init(size: TerminalSize) {
        self.size = size
        glyphs = [Glyph](repeating: .blank, count: size.columns * size.rows)
    }

    /// A character of the screen. Outside of it, writes are ignored and reads are blank.
    public subscript(column: Int, row: Int) -> Glyph {
        get { contains(column, row) ? glyphs[row * size.columns + column] : .blank }
        set { if contains(column, row) { glyphs[row * size.columns + column] = newValue } }
    }

    private func contains(_ column: Int, _ row: Int) -> Bool {
        (0..<size.columns).contains(column) && (0..<size.rows).contains(row)
    }

    /// Writes a line of text from a place on, as far as the screen reaches. Control characters become `?`, so that text
    /// from outside cannot control the terminal.
    ///
    /// - Returns: The column after the text.
    @discardableResult
    public mutating func write(
        _ text: some StringProtocol, column: Int, row: Int, foreground: Color? = nil, background: Color? = nil
    ) -> Int {
        var column = column
        for character in text {
            let printable = character.unicodeScalars.allSatisfy { $0.isPrintable }
            self[column, row] = Glyph(printable ? character : "?", foreground: foreground, background: background)
            column += 1
        }
        return column
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        default: true
        }
    }
}
