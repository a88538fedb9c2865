import ArgumentParser
import PixelBoopClient

struct TUI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tui", abstract: "Play the instrument in the terminal, with the mouse as finger.",
        discussion: """
            88 by 26 characters show a cell as two of them; 44 by 12 are enough for half-blocks, where the left button \
            plays the upper and the right button the lower row of a character.

            Keys: Space play or stop, Ctrl-Z undo, Ctrl-Y redo, Delete clear, up and down tempo, q quit.
            """)

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var colors: ColorOptions

    func run() async throws {
        let terminal = try Terminal.controlling(for: "tui")
        // Before the terminal is taken over: a missing daemon is told where it is seen.
        let client = try await PixelBoopClient.connect(to: connection.path)
        try await InstrumentRunner(terminal: terminal, depth: colors.depth, mode: .instrument).run(first: client)
    }
}
