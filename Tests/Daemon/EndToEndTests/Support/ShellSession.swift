import Foundation
import ProgramTestSupport
import TestSupport

/// An interactive shell in a terminal of its own, as a user of `pixelboop` has it.
final class ShellSession {
    let terminal: PseudoTerminal
    private let shell: ChildProgram

    /// A shell in which `pixelboop` finds a daemon.
    ///
    /// - Parameter variables: The environment that describes the terminal.
    init(
        socket: String, columns: Int = 100, rows: Int = 30,
        variables: [String: String] = ["TERM": "xterm", "COLORTERM": "truecolor"]
    ) throws {
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        // A session of its own that has the terminal, so that the kernel signals it; the threads of tests block
        // signals, which child processes would inherit.
        shell = try ChildProgram(
            URL(filePath: "/usr/bin/env"),
            [
                "--default-signal", "setsid", "--ctty", "--wait", "bash", "--norc", "--noprofile", "--noediting", "-i",
            ],
            environment: variables.merging([
                "PIXELBOOP_SOCKET": socket, "PATH": "\(Program.folder.path):/usr/bin:/bin", "PS1": "ready> ",
            ]) { $1 },
            input: terminal.programEnd, output: .written(terminal.programEnd, errors: terminal.programEnd)
        ).start()
    }

    deinit { terminal.signal(SIGHUP) }

    /// Starts the instrument; returns when it shows a daemon's picture.
    func openInstrument() async throws {
        try await terminal.wait(until: "a prompt") { $0.shows("ready>") }
        terminal.type("pixelboop tui; echo ended with $?\n")
        try await terminal.wait(until: "the instrument") { $0.shows("BPM") && $0.frame != nil }
    }

    /// Waits until the shell has the terminal back, as it was before.
    ///
    /// - Parameter status: The instrument's exit code, as the shell reports it.
    func expectEnd(status: Int32) async throws {
        try await terminal.wait(until: "the shell after an exit with \(status)") { model in
            model.shows("ended with \(status)") && model.shows("ready> pixelboop tui") && model.modes == [25]
        }
    }

    enum MouseAction {
        case press
        case drag
        case release
    }

    /// Moves the mouse as a terminal of 100 by 30 characters, two for a cell, reports it.
    func mouse(_ action: MouseAction, column: Int, row: Int) {
        let code = action == .drag ? 32 : 0
        let place = "\(6 + 2 * column + 1);\(2 + row + 1)"
        terminal.type("\u{1b}[<\(code);\(place)\(action == .release ? "m" : "M")")
    }
}
