import Grid

/// How many colours a terminal shows.
public enum ColorDepth: Equatable, Sendable, CaseIterable {
    /// Each colour exactly: 8 bits for red, green and blue.
    case trueColor
    /// The nearest colour of xterm's palette of 256.
    case palette
    /// The nearest of the PC's 16 colours, which most terminals have.
    case sixteen
    /// No colours: characters show the brightness.
    case monochrome

    /// The colours that a terminal supports, according to environment variables.
    ///
    /// `TERM` wins if it names a terminal with few colours or none. `COLORTERM` announces 24-bit colour; tmux supports
    /// it in any terminal. GNU screen drops 24-bit colours, but passes on the `COLORTERM` of the terminal around it.
    /// `NO_COLOR`, unless empty, asks for none (no-color.org).
    public init(environment: [String: String]) {
        let type = environment["TERM"] ?? ""
        if environment["NO_COLOR"] ?? "" != "" || TerminalKind.isOld(type) || type.hasSuffix("-mono") {
            self = .monochrome
        } else if ColorDepth.hasSixteen(type) {
            self = .sixteen
        } else {
            let announced = ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased())
            let known = ["direct", "truecolor", "kitty", "alacritty", "foot", "ghostty", "wezterm"].contains {
                type.contains($0)
            }
            let isExact = announced || known || environment["TMUX"] != nil
            self = isExact && !ColorDepth.isInScreen(environment) ? .trueColor : .palette
        }
    }

    /// Whether GNU screen draws: it sets `STY`, and a `TERM` of screen, which tmux may set as well.
    private static func isInScreen(_ environment: [String: String]) -> Bool {
        let type = environment["TERM"] ?? ""
        let isType = type == "screen" || type.hasPrefix("screen-") || type.hasPrefix("screen.")
        // With both, the type says which is the inner one, unless that is screen's, which both may have.
        if environment["STY"] ?? "" != "" { return !type.hasPrefix("tmux") }
        return isType && environment["TMUX"] == nil
    }

    private static func hasSixteen(_ type: String) -> Bool {
        ["linux", "ansi", "cygwin", "rxvt"].contains(type) || type.hasPrefix("linux-") || type.hasSuffix("-16color")
    }
}

extension Color {
    /// The nearest colour, by Euclidean distance, in xterm's palette of 256: in its 6x6x6 cube (16 to 231) and its
    /// greys (232 to 255). The first 16 are left out: every user sets them differently.
    public var paletteIndex: Int {
        let (red, green, blue) = (Int(red), Int(green), Int(blue))
        func distance(_ to: (red: Int, green: Int, blue: Int)) -> Int {
            let (dr, dg, db) = (red - to.red, green - to.green, blue - to.blue)
            return dr * dr + dg * dg + db * db
        }
        let cube = (
            red: TerminalPalette.cubeLevel(red), green: TerminalPalette.cubeLevel(green),
            blue: TerminalPalette.cubeLevel(blue)
        )
        let grey = TerminalPalette.greyLevel((red + green + blue) / 3)
        let greyValue = TerminalPalette.grey(grey)
        let cubeDistance = distance(
            (TerminalPalette.cube[cube.red], TerminalPalette.cube[cube.green], TerminalPalette.cube[cube.blue]))
        if distance((greyValue, greyValue, greyValue)) < cubeDistance { return 232 + grey }
        return 16 + 36 * cube.red + 6 * cube.green + cube.blue
    }

    /// The nearest colour, by Euclidean distance, of the PC's 16: 0 to 7, and their bright forms from 8 on.
    public var sixteenIndex: Int {
        func distance(_ index: Int) -> Int {
            let other = TerminalPalette.sixteen[index]
            let differences = [Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue)]
            return differences.reduce(0) { $0 + $1 * $1 }
        }
        return TerminalPalette.sixteen.indices.min { distance($0) < distance($1) } ?? 0
    }
}

/// The levels of xterm's palette, from its `256colres.pl`, and the PC's colours as on the Linux console.
private enum TerminalPalette {
    static let sixteen = [
        0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa,
        0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff,
    ].map { Color($0) }
    static let cube = [0, 95, 135, 175, 215, 255]

    static func grey(_ level: Int) -> Int { 8 + 10 * level }

    static func cubeLevel(_ value: Int) -> Int {
        cube.indices.min { abs(cube[$0] - value) < abs(cube[$1] - value) } ?? 0
    }

    static func greyLevel(_ value: Int) -> Int {
        min(max((value - 8 + 5) / 10, 0), 23)
    }
}
