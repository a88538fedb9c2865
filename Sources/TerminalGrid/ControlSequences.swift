import Grid

/// What terminals are told, from xterm's "Control Sequences" (ctlseqs).
public enum ControlSequences {
    private static let escape = "\u{1b}["

    /// Switches to a screen of its own, with nothing on it and no cursor. (Modes 1049, 25)
    public static let enterScreen = escape + "?1049h" + hideCursor + clear
    /// Shows the screen and cursor from before ``enterScreen``, in the terminal's own colours.
    public static let leaveScreen = resetStyle + showCursor + escape + "?1049l"
    /// Reports presses, releases and drags of the mouse, in decimal. (Modes 1002, 1006)
    public static let enableMouse = escape + "?1002h" + escape + "?1006h"
    /// Reports nothing of the mouse.
    public static let disableMouse = escape + "?1006l" + escape + "?1002l"
    /// Hides the cursor.
    public static let hideCursor = escape + "?25l"
    /// Shows the cursor.
    public static let showCursor = escape + "?25h"
    /// The terminal's own colours.
    public static let resetStyle = escape + "0m"
    /// Empties the screen.
    public static let clear = escape + "2J"
    /// What follows appears at once, on terminals that can. (Mode 2026)
    public static let beginUpdate = escape + "?2026h"
    /// The end of what appears at once.
    public static let endUpdate = escape + "?2026l"

    /// Moves the cursor; column and row count from 0.
    static func moveCursor(column: Int, row: Int) -> String { escape + "\(row + 1);\(column + 1)H" }

    /// Sets both colours; nothing where there are none.
    static func colors(of glyph: Glyph, depth: ColorDepth) -> String {
        if depth == .monochrome { return "" }
        let foreground = glyph.foreground.map { code($0, plane: 38, depth: depth) } ?? "39"
        let background = glyph.background.map { code($0, plane: 48, depth: depth) } ?? "49"
        return escape + foreground + ";" + background + "m"
    }

    private static func code(_ color: Color, plane: Int, depth: ColorDepth) -> String {
        switch depth {
        case .trueColor: "\(plane);2;\(color.red);\(color.green);\(color.blue)"
        case .palette: "\(plane);5;\(color.paletteIndex)"
        case .monochrome: ""
        }
    }
}
