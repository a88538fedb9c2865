import PixelBoopClient
import TerminalGrid
import Wire

/// The only place where the model changes and the terminal is drawn; a slow terminal slows down only its callers.
actor InstrumentScreen {
    private let terminal: Terminal
    private var model: InstrumentModel
    /// What the terminal shows, nil if unknown.
    private var shown: Screen?
    /// Whether the terminal reports presses and releases of keys, where it can.
    private var reportsKeys = false

    init(terminal: Terminal, model: InstrumentModel) {
        self.terminal = terminal
        self.model = model
    }

    func update<Result: Sendable>(_ change: @Sendable (inout InstrumentModel) -> Result) -> Result {
        let result = change(&model)
        draw()
        return result
    }

    /// Draws everything, because it is unknown what the terminal shows.
    func redraw<Result: Sendable>(after change: @Sendable (inout InstrumentModel) -> Result) -> Result {
        shown = nil
        reportsKeys = false
        return update(change)
    }

    private func draw() {
        if model.wantsKeyReports != reportsKeys, terminal.kind.hasModes {
            reportsKeys = model.wantsKeyReports
            terminal.write(reportsKeys ? ControlSequences.enableKeyReports : ControlSequences.disableKeyReports)
        }
        let screen = model.screen
        terminal.write(screen.update(after: shown, on: terminal.kind))
        shown = screen
    }
}
