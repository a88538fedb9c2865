import ArgumentParser
import PixelBoopClient

struct TUI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tui", abstract: "Play the instrument in the terminal, with keys or the mouse as finger.",
        discussion: """
            In a window of 88 by 26 characters a cell is two characters wide, in a larger one more. From 44 by 12 on a \
            character shows two cells: the left button plays the upper, the right button the lower one.

            Keys: arrows, Tab, Home and End move the cursor, Enter taps; h puts the finger down to hold it, d begins a \
            drag: then arrows move it, Enter lifts it and Esc cancels it. k lets keys play the track under the cursor: a to \
            j its notes in the key, or drums, and q to y more drums, until Esc. Space play or stop, r record, + and - \
            tempo, 1 to 8 scenes, l and L lenses, z freeze, f FILL, Ctrl-Z undo, Ctrl-Y redo, Delete clear, Ctrl-N new, \
            n names on the notes, ? help, q quit.
            """)

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var colors: ColorOptions

    func run() async throws {
        let terminal = try Terminal.controlling(for: "tui", kind: colors.kind)
        // Connects before switching to the alternate screen, so that a missing daemon is reported on the normal one.
        let client = try await PixelBoopClient.connect(to: connection.path)
        try await InstrumentRunner(terminal: terminal, mode: .instrument).run(first: client)
    }
}
