import Foundation
import TerminalGrid

/// Shows in a terminal, or prints, what goes out to the lights: each of them as two characters of a line.
struct Preview {
    private let output: FileHandle
    private let depth: ColorDepth
    private let isTerminal: Bool
    private var shown: Screen?

    /// A preview on standard output; where that is no terminal, pictures are printed one after the other.
    init(environment: [String: String]) {
        self.init(
            to: .standardOutput, depth: ColorDepth(environment: environment), isTerminal: isatty(STDOUT_FILENO) == 1)
    }

    init(to output: FileHandle, depth: ColorDepth, isTerminal: Bool) {
        self.output = output
        self.depth = depth
        self.isTerminal = isTerminal
    }

    func begin() {
        if isTerminal { write(ControlSequences.enterScreen) }
    }

    func end() {
        if isTerminal { write(ControlSequences.leaveScreen) }
    }

    mutating func show(_ picture: LightPicture) {
        var screen = Screen(size: TerminalSize(columns: 2 * picture.width, rows: picture.height))
        for row in 0..<picture.height {
            for column in 0..<picture.width {
                let glyph = Glyph(" ", background: picture[column, row])
                screen[2 * column, row] = glyph
                screen[2 * column + 1, row] = glyph
            }
        }
        if isTerminal {
            write(screen.update(after: shown, depth: depth))
            shown = screen
        } else {
            write(screen.lines(depth: depth).map { $0 + "\n" }.joined() + "\n")
        }
    }

    private func write(_ text: String) {
        try? output.write(contentsOf: Data(text.utf8))
    }
}
