import Dispatch
import Glibc
import Grid
import Synchronization
import SystemSupport
import TerminalGrid

/// Shows in a terminal, or prints, what the lights are sent: each light as two characters, or as half of one where there is
/// no room for that. Nothing is drawn beyond the last column and row, where a terminal would wrap and scroll.
///
/// Writing to a terminal may block for long, as after Ctrl+S. That blocks only its own thread, which skips outdated
/// pictures.
final class Preview: Sendable {
    /// How long restoring the terminal may take.
    private static let patience = DispatchTimeInterval.milliseconds(250)

    private let output: Int32
    private let kind: TerminalKind
    private let isTerminal: Bool
    /// How much room there is; nil without a limit.
    private let room: @Sendable () -> TerminalSize?
    private let writer = DispatchQueue(label: "preview")
    /// The newest picture, until it is drawn.
    private let waiting = Mutex<LightPicture?>(nil)
    /// Used by the writer only.
    private let shown = Mutex<Screen?>(nil)

    /// A preview on standard output; if that is not a terminal, pictures are printed one after the other.
    convenience init(environment: [String: String]) {
        self.init(
            to: STDOUT_FILENO, kind: TerminalKind(environment: environment), isTerminal: isatty(STDOUT_FILENO) == 1
        ) { TerminalSize(of: STDOUT_FILENO) }
    }

    /// - Parameters:
    ///   - output: An open descriptor, which the caller closes.
    ///   - room: How much room there is; nil without a limit.
    init(
        to output: Int32, kind: TerminalKind, isTerminal: Bool, room: @escaping @Sendable () -> TerminalSize? = { nil }
    ) {
        self.output = output
        self.room = room
        self.kind = kind
        self.isTerminal = isTerminal
    }

    func begin() {
        if isTerminal {
            writer.async {
                self.write(self.kind.hasModes ? ControlSequences.enterScreen : ControlSequences.enterOnlyScreen)
            }
        }
    }

    /// Restores the terminal, unless it blocks.
    func end() {
        let written = DispatchSemaphore(value: 0)
        writer.async {
            if self.isTerminal {
                self.write(self.kind.hasModes ? ControlSequences.leaveScreen : ControlSequences.leaveOnlyScreen)
            }
            written.signal()
        }
        _ = written.wait(timeout: .now() + Self.patience)
    }

    /// Shows a picture once the terminal accepts it, unless there is a newer one by then.
    func show(_ picture: LightPicture) {
        let isFirst = waiting.withLock { waiting in
            defer { waiting = picture }
            return waiting == nil
        }
        if isFirst { writer.async { self.draw() } }
    }

    private func draw() {
        guard let picture = waiting.withLock({ $0.take() }) else { return }
        let screen = screen(of: picture)
        guard isTerminal else {
            return write(screen.lines(on: kind).map { $0 + "\n" }.joined() + "\n")
        }
        let before = shown.withLock { shown in
            defer { shown = screen }
            return shown
        }
        write(screen.update(after: before, on: kind))
    }

    private func screen(of picture: LightPicture) -> Screen {
        let whole = TerminalSize(columns: 2 * picture.width, rows: picture.height)
        let room = room() ?? whole
        guard whole.columns > room.columns || whole.rows > room.rows else {
            var screen = Screen(size: whole)
            for row in 0..<picture.height {
                for column in 0..<whole.columns {
                    screen[column, row] = Glyph(" ", background: picture[column / 2, row])
                }
            }
            return screen
        }
        var screen = Screen(
            size: TerminalSize(
                columns: min(picture.width, room.columns), rows: min((picture.height + 1) / 2, room.rows)))
        for row in 0..<screen.size.rows {
            for column in 0..<screen.size.columns {
                let lower = 2 * row + 1 < picture.height ? picture[column, 2 * row + 1] : Color(0)
                screen[column, row] = Glyph(
                    Glyph.upperHalf, foreground: picture[column, 2 * row], background: lower)
            }
        }
        return screen
    }

    private func write(_ text: String) { try? writeAll(Array(text.utf8), to: output, of: "the preview") }
}
