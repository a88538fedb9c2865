import Dispatch
import Glibc
import Synchronization
import SystemSupport
import TerminalGrid

/// Shows in a terminal, or prints, what the lights are sent: each light as two characters.
///
/// Writing to a terminal may block for long, as after Ctrl+S. Only a thread of its own is blocked, and skips outdated
/// pictures.
final class Preview: Sendable {
    /// How long restoring the terminal may take.
    private static let patience = DispatchTimeInterval.milliseconds(250)

    private let output: Int32
    private let kind: TerminalKind
    private let isTerminal: Bool
    private let writer = DispatchQueue(label: "preview")
    /// The newest picture, until it is drawn.
    private let waiting = Mutex<LightPicture?>(nil)
    /// For the writer alone.
    private let shown = Mutex<Screen?>(nil)

    /// A preview on standard output; where that is no terminal, pictures are printed one after the other.
    convenience init(environment: [String: String]) {
        self.init(
            to: STDOUT_FILENO, kind: TerminalKind(environment: environment), isTerminal: isatty(STDOUT_FILENO) == 1)
    }

    /// - Parameter output: An open descriptor, which the caller closes.
    init(to output: Int32, kind: TerminalKind, isTerminal: Bool) {
        self.output = output
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
        var screen = Screen(size: TerminalSize(columns: 2 * picture.width, rows: picture.height))
        for row in 0..<picture.height {
            for column in 0..<picture.width {
                let glyph = Glyph(" ", background: picture[column, row])
                screen[2 * column, row] = glyph
                screen[2 * column + 1, row] = glyph
            }
        }
        guard isTerminal else {
            return write(screen.lines(on: kind).map { $0 + "\n" }.joined() + "\n")
        }
        let before = shown.withLock { shown in
            defer { shown = screen }
            return shown
        }
        write(screen.update(after: before, on: kind))
    }

    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                retryingInterrupted { Glibc.write(output, bytes.baseAddress, bytes.count) }
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
