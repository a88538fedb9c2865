import FoundationEssentials
import Glibc
import PixelBoopClient
import TerminalGrid
import Wire

/// Runs the instrument in a terminal until the user quits: sends keys and mouse to the daemon, shows its pictures, and
/// reconnects when the daemon comes back.
struct InstrumentRunner {
    /// Commands that may wait for a daemon that does not read; more are lost.
    private static let commandCapacity = 256

    let terminal: Terminal
    let mode: InstrumentModel.Mode
    /// Whether names are written on the notes; nil shows them only with the safe colours.
    var names: Bool?

    /// Runs until the user quits, and restores the terminal.
    ///
    /// - Parameter client: The first connection.
    func run(first client: PixelBoopClient) async throws {
        if let signal = try await runOnScreen(client) {
            InstrumentRunner.die(of: signal)
        }
    }

    /// Raises a signal again with its default action, after the terminal has been restored.
    private static func die(of signal: Int32) {
        Glibc.signal(signal, SIG_DFL)
        // The threads that run tasks block signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, signal)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(signal)
    }

    /// Runs on the alternate screen.
    ///
    /// - Returns: The signal that ended it, if it should end the process too.
    private func runOnScreen(_ client: PixelBoopClient) async throws -> Int32? {
        terminal.enter(mouse: mode == .instrument)
        defer { terminal.leave() }
        let reader = try TerminalReader(terminal: terminal)
        defer { reader.stop() }
        let model = InstrumentModel(mode: mode, size: terminal.size, names: names)
        let screen = InstrumentScreen(terminal: terminal, model: model)
        let link = InstrumentLink(screen: screen, mode: mode)
        let (commands, sender) = AsyncStream<InstrumentCommand>.makeStream(
            bufferingPolicy: .bufferingOldest(InstrumentRunner.commandCapacity))
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await link.maintain(first: client) }
            group.addTask { await link.perform(commands) }
            return await handle(reader.events, on: screen, sender)
        }
    }

    /// Handles events of the terminal until one ends the program.
    private func handle(
        _ events: AsyncStream<TerminalEvent>, on screen: InstrumentScreen,
        _ sender: AsyncStream<InstrumentCommand>.Continuation
    ) async -> Int32? {
        func send(_ commands: [InstrumentCommand]) {
            for command in commands { sender.yield(command) }
        }
        for await event in events {
            switch event {
            case .input(let input):
                switch await screen.update({ $0.react(to: input) }) {
                case .none: break
                case .send(let commands): send(commands)
                case .quit: return nil
                }
            case .resized(let size): send(await screen.redraw { $0.resize(to: size) })
            case .resumed(let size): send(await screen.redraw { $0.liftFingers() + $0.resize(to: size) })
            case .ended(let signal): return signal == SIGINT ? nil : signal
            }
        }
        return nil
    }
}
