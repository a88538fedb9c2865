import PixelBoopClient
import TerminalGrid
import Wire

/// The one place where the model changes and the terminal is drawn; slow terminals slow down only who feeds it.
actor InstrumentScreen {
    private let terminal: Terminal
    private var model: InstrumentModel
    /// What the terminal shows, nil when that is unknown.
    private var shown: Screen?

    init(terminal: Terminal, model: InstrumentModel) {
        self.terminal = terminal
        self.model = model
    }

    /// Changes the model and draws what changed with it.
    func update<Result: Sendable>(_ change: @Sendable (inout InstrumentModel) -> Result) -> Result {
        let result = change(&model)
        draw()
        return result
    }

    /// Draws everything: nobody knows what the terminal shows.
    func redraw(size: TerminalSize) {
        model.size = size
        shown = nil
        draw()
    }

    private func draw() {
        let screen = model.screen
        terminal.write(screen.update(after: shown, on: terminal.kind))
        shown = screen
    }
}
