import Grid

/// How many colours a terminal shows.
public enum ColorDepth: Equatable, Sendable, CaseIterable {
    /// Each colour exactly: 8 bits for red, green and blue.
    case trueColor
    /// The nearest colour of xterm's palette of 256.
    case palette
    /// None: brightness is shown by characters.
    case monochrome

    /// What a terminal can do, as far as its environment variables tell.
    ///
    /// `COLORTERM` is how terminals announce 24-bit colour; tmux understands it whatever the terminal around it does.
    /// `NO_COLOR`, unless empty, is how people ask for none (no-color.org).
    public init(environment: [String: String]) {
        guard environment["NO_COLOR"] ?? "" == "", environment["TERM"] != "dumb" else {
            self = .monochrome
            return
        }
        let announced = ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased())
        let type = environment["TERM"] ?? ""
        let known = ["direct", "truecolor", "kitty", "alacritty", "foot", "ghostty", "wezterm"].contains {
            type.contains($0)
        }
        self = announced || known || environment["TMUX"] != nil ? .trueColor : .palette
    }
}

extension Color {
    /// The nearest colour, by straight distance, of xterm's palette of 256: of its 6x6x6 cube (16 to 231) and its greys
    /// (232 to 255). The first 16 are left out: every user sets them differently.
    public var paletteIndex: Int {
        let (red, green, blue) = (Int(red), Int(green), Int(blue))
        func distance(_ to: (red: Int, green: Int, blue: Int)) -> Int {
            let (dr, dg, db) = (red - to.red, green - to.green, blue - to.blue)
            return dr * dr + dg * dg + db * db
        }
        let cube = (red: Palette.cubeLevel(red), green: Palette.cubeLevel(green), blue: Palette.cubeLevel(blue))
        let grey = Palette.greyLevel((red + green + blue) / 3)
        let greyValue = Palette.grey(grey)
        let cubeDistance = distance((Palette.cube[cube.red], Palette.cube[cube.green], Palette.cube[cube.blue]))
        if distance((greyValue, greyValue, greyValue)) < cubeDistance { return 232 + grey }
        return 16 + 36 * cube.red + 6 * cube.green + cube.blue
    }
}

/// The levels of xterm's palette, from its `256colres.pl`.
private enum Palette {
    static let cube = [0, 95, 135, 175, 215, 255]

    static func grey(_ level: Int) -> Int { 8 + 10 * level }

    static func cubeLevel(_ value: Int) -> Int {
        cube.indices.min { abs(cube[$0] - value) < abs(cube[$1] - value) } ?? 0
    }

    static func greyLevel(_ value: Int) -> Int {
        min(max((value - 8 + 5) / 10, 0), 23)
    }
}
