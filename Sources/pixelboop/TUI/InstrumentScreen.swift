import Grid
import PixelBoopClient
import TerminalGrid
import Wire

/// The one place where the model changes and the terminal is drawn; slow terminals slow down only who feeds it.
actor InstrumentScreen {
    private let terminal: Terminal
    private let depth: ColorDepth
    private var model: InstrumentModel
    /// What the terminal shows, nil when that is unknown.
    private var shown: Screen?

    init(terminal: Terminal, depth: ColorDepth, mode: InstrumentModel.Mode) {
        self.terminal = terminal
        self.depth = depth
        model = InstrumentModel(mode: mode, size: terminal.size)
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
        terminal.write(screen.update(after: shown, depth: depth))
        shown = screen
    }
}
