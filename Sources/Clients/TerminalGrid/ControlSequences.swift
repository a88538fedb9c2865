import Grid

/// Sequences for terminals, from xterm's "Control Sequences" (ctlseqs).
public enum ControlSequences {
    private static let escape = "\u{1b}["

    /// Switches to the alternate screen, cleared and without a cursor. (Modes 1049, 25)
    public static let enterScreen = escape + "?1049h" + hideCursor + clear
    /// Restores the screen and cursor from before ``enterScreen``, in the terminal's own colours.
    public static let leaveScreen = resetStyle + showCursor + escape + "?1049l"
    /// Clears the screen of a terminal that has only one, and hides its cursor.
    public static let enterOnlyScreen = hideCursor + clear
    /// Leaves that screen empty, with its cursor at the top.
    public static let leaveOnlyScreen = resetStyle + clear + moveCursor(column: 0, row: 0) + showCursor
    /// Reports presses, releases and movements of the mouse, in decimal. (Modes 1003, else 1002; 1006)
    public static let enableMouse = escape + "?1002h" + escape + "?1003h" + escape + "?1006h"
    /// Stops reporting the mouse.
    public static let disableMouse = escape + "?1006l" + escape + "?1003l" + escape + "?1002l"
    /// Marks what is pasted, so that it does not count as keys. (Mode 2004)
    public static let enablePasteMarks = escape + "?2004h"
    /// Stops marking it.
    public static let disablePasteMarks = escape + "?2004l"
    /// Reports presses and releases of all keys, with their places. (Kitty's keyboard protocol; others ignore it.)
    public static let enableKeyReports = escape + ">15u"
    /// Reports keys as before.
    public static let disableKeyReports = escape + "<u"
    public static let hideCursor = escape + "?25l"
    public static let showCursor = escape + "?25h"
    /// The terminal's own colours.
    public static let resetStyle = escape + "0m"
    public static let clear = escape + "2J"
    /// What follows appears at once, on terminals that support it. (Mode 2026)
    public static let beginUpdate = escape + "?2026h"
    public static let endUpdate = escape + "?2026l"

    /// Moves the cursor; column and row count from 0.
    static func moveCursor(column: Int, row: Int) -> String { escape + "\(row + 1);\(column + 1)H" }

    /// Sets both colours; empty for a depth without colours.
    static func colors(of glyph: Glyph, depth: ColorDepth) -> String {
        if depth == .monochrome { return "" }
        let foreground = glyph.foreground.map { code($0, plane: 30, depth: depth) } ?? "39"
        let background = glyph.background.map { code($0, plane: 40, depth: depth) } ?? "49"
        // On the Linux console a colour's brightness stays when the colour changes.
        return escape + (depth == .sixteen ? "0;" : "") + foreground + ";" + background + "m"
    }

    /// - Parameter plane: 30 for the foreground, 40 for the background.
    private static func code(_ color: Color, plane: Int, depth: ColorDepth) -> String {
        switch depth {
        case .trueColor: return "\(plane + 8);2;\(color.red);\(color.green);\(color.blue)"
        case .palette: return "\(plane + 8);5;\(color.paletteIndex)"
        case .sixteen:
            let index = color.sixteenIndex
            return "\(index < 8 ? plane + index : plane + 60 + index - 8)"
        case .monochrome: return ""
        }
    }
}
