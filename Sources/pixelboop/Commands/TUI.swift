import ArgumentParser
import PixelBoopClient

struct TUI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tui", abstract: "Play the instrument in the terminal, with keys or the mouse as finger.",
        discussion: """
            88 by 26 characters show a cell as two of them, more room as more; 44 by 12 are enough for half-blocks, where \
            the left button plays the upper and the right button the lower row of a character.

            Keys: arrows, Tab, Home and End move the cursor, Enter taps; h puts the finger down to hold it, d begins a \
            drag: then arrows move it, Enter lifts it and Esc cancels it. Space play or stop, r record, + and - tempo, 1 \
            to 8 scenes, Ctrl-Z undo, Ctrl-Y redo, Delete clear, Ctrl-N new, n names on the notes, ? help, q quit.
            """)

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var colors: ColorOptions

    func run() async throws {
        let terminal = try Terminal.controlling(for: "tui", kind: colors.kind)
        // Before the terminal is taken over: a missing daemon is reported where it is seen.
        let client = try await PixelBoopClient.connect(to: connection.path)
        try await InstrumentRunner(terminal: terminal, mode: .instrument).run(first: client)
    }
}
