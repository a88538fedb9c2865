import FoundationEssentials
import Glibc
import Synchronization
import TerminalGrid

/// The terminal that this process runs in: switched to the alternate screen and raw mode, and restored.
final class Terminal: Sendable {
    private struct State {
        var isEntered = false
        var reportsMouse = false
    }

    /// Where keys and mouse reports come from.
    let input: Int32
    let kind: TerminalKind
    private let output: Int32
    private let original: termios
    private let state = Mutex(State())

    private init(input: Int32, output: Int32, kind: TerminalKind, original: termios) {
        self.kind = kind
        self.input = input
        self.output = output
        self.original = original
    }

    /// The controlling terminal, even when standard input is redirected.
    ///
    /// - Throws: A ``Failure`` if standard output is not a terminal.
    static func controlling(for command: String, kind: TerminalKind) throws -> Terminal {
        guard ProcessInfo.processInfo.environment["TERM"] != "dumb" else {
            throw Failure(.usage, "\(command) needs a terminal that can move its cursor, and TERM is dumb")
        }
        let input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
        var original = termios()
        guard Output.isTerminal, input >= 0, tcgetattr(input, &original) == 0 else {
            throw Failure(.usage, "\(command) needs a terminal; `pixelboop show` prints the grid anywhere")
        }
        return Terminal(input: input, output: STDOUT_FILENO, kind: kind, original: original)
    }

    /// How many characters standard output shows, nil if it is not a terminal.
    static var standardOutputSize: TerminalSize? { size(of: STDOUT_FILENO) }

    /// How many characters it shows; 80 by 24 if it reports no size.
    var size: TerminalSize { Terminal.size(of: output) ?? TerminalSize(columns: 80, rows: 24) }

    private static func size(of descriptor: Int32) -> TerminalSize? { TerminalSize(of: descriptor)?.drawn }

    /// Whether another process group has it, the shell for one.
    var isOthers: Bool {
        let group = tcgetpgrp(input)
        return group > 0 && group != getpgrp()
    }

    /// Switches to the alternate screen and raw mode, and enables the mouse if wanted. From here on a crash restores
    /// the terminal too.
    func enter(mouse: Bool) {
        state.withLock { state in
            let mouse = mouse && kind.hasModes
            state = State(isEntered: true, reportsMouse: mouse)
            CrashRestorer.arm(descriptor: output, bytes: restoring(mouse: mouse), settings: original)
            var raw = original
            cfmakeraw(&raw)
            tcsetattr(input, TCSADRAIN, &raw)
            let screen =
                kind.hasModes
                ? ControlSequences.enterScreen + ControlSequences.enablePasteMarks : ControlSequences.enterOnlyScreen
            put(screen + (mouse ? ControlSequences.enableMouse : ""))
        }
    }

    /// Switches again after ``leave()``, with the same options.
    func enterAgain() {
        enter(mouse: state.withLock { $0.reportsMouse })
    }

    func leave() {
        state.withLock { state in
            guard state.isEntered else { return }
            state.isEntered = false
            put(restoring(mouse: state.reportsMouse))
            var original = original
            // Discards late mouse reports, which would be the shell's input.
            tcsetattr(input, TCSAFLUSH, &original)
            CrashRestorer.disarm()
        }
    }

    /// Begins with the end of a synchronized update, because a crash may happen in the middle of one.
    private func restoring(mouse: Bool) -> String {
        guard kind.hasModes else { return ControlSequences.leaveOnlyScreen }
        // The alternate screen has keyboard modes of its own.
        return ControlSequences.endUpdate + ControlSequences.disableKeyReports + ControlSequences.disablePasteMarks
            + (mouse ? ControlSequences.disableMouse : "") + ControlSequences.leaveScreen
    }

    /// Writes to the screen; does nothing while the terminal is restored.
    func write(_ text: String) {
        state.withLock { state in
            if state.isEntered { put(text) }
        }
    }

    private func put(_ text: String) {
        // A terminal that is gone is reported by SIGHUP.
        try? Output.write(Array(text.utf8), to: output)
    }
}
