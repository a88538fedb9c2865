import DaemonTestSupport
import Foundation
import Grid
import Music
import PixelBoopClient
import ProgramTestSupport
import TerminalGrid
import TestSupport
import Testing
import Wire

/// The instrument in a terminal: keys and mouse in, the daemon's picture out, through a shell as users have it.
@Suite(.timeLimit(.minutes(2))) struct TerminalTests {
    /// Where the arpeggio of the test is on the grid, and in which colours: one degree of C major per step, and back
    /// from the track's last note.
    private static let arpeggio: [(column: Int, row: Int, color: UInt32)] = [
        (4, 7, 0xff0000), (5, 6, 0xff8c00), (6, 5, 0xffff00), (7, 5, 0x9acd32), (8, 4, 0x00ffaa), (9, 3, 0x00aaff),
        (10, 2, 0x8a2be2), (11, 3, 0x00aaff),
    ]
    private static let arpeggioCells = """
        melody 0   o.......
        melody 2   .o......
        melody 4   ..o.....
        melody 5   ...o....
        melody 7   ....o...
        melody 9   .....o.o
        melody 11  ......o.
        """

    @Test func `a mouse drag writes an arpeggio, and terminal, show and daemon agree on the picture`() async throws {
        try await Stage.with { stage in
            let client = try await stage.connect()
            let session = try ShellSession(socket: stage.daemon.socketPath)
            try await session.openInstrument()
            try await agreeOnStatus(session, client)

            session.mouse(.press, column: 4, row: 7)
            for column in 5...11 { session.mouse(.drag, column: column, row: 7) }
            try await session.terminal.wait(until: "a preview on the last step") {
                $0.frame.map { $0[11, 3] != $0[12, 3] } ?? false
            }
            #expect(try await client.pattern().cells == Cells())

            session.mouse(.release, column: 11, row: 7)
            try await session.terminal.wait(until: "the arpeggio") { model in
                guard let frame = model.frame else { return false }
                return Self.arpeggio.allSatisfy { frame[$0.column, $0.row] == Color($0.color) }
            }
            #expect(try await client.pattern().cells == Cells(drawnAs: Self.arpeggioCells))
            try await agree(session, client)
            try await checkShow(client, Self.arpeggio.map { ($0.column, $0.row, Color($0.color)) })
            session.terminal.type("q")
            try await session.expectEnd(status: 0)
        }
    }

    /// Returns when the status line shows the daemon's status: how many xruns there are is up to the machine.
    private func agreeOnStatus(_ session: ShellSession, _ client: PixelBoopClient) async throws {
        while true {
            let xruns = try await client.statistics().audio.xruns
            let before = session.terminal.model.screen
            let late = xruns == 0 ? "" : "  \(xruns) \(xruns == 1 ? "XRUN" : "XRUNS")"
            let wanted = "STOPPED        120 BPM  C MAJOR  SCENE 1\(late)"
            if session.terminal.model.line(26).contains(wanted) { return }
            try await session.terminal.wait(until: "the status line") { $0.screen != before }
        }
    }

    /// Returns when the terminal shows the daemon's picture, except for the music key, which never rests.
    private func agree(_ session: ShellSession, _ client: PixelBoopClient) async throws {
        while true {
            let wanted = try await client.frame().frame.withoutMusicKey
            if session.terminal.model.frame?.withoutMusicKey == wanted { return }
            let before = session.terminal.model.screen
            // The music key's pulse changes it a few times a second.
            try await session.terminal.wait(until: "a change") { $0.screen != before }
        }
    }

    /// `pixelboop show` prints the daemon's picture.
    private func checkShow(
        _ client: PixelBoopClient, _ cells: [(column: Int, row: Int, color: Color)]
    ) async throws {
        let outcome = try await Program.run(["show", "--color", "24bit"], socket: client.path)
        #expect(outcome.status == 0)
        var model = TerminalModel(size: .init(columns: 88, rows: 26))
        try model.receive(outcome.output.replacing("\n", with: "\r\n"))
        let frame = try #require(model.frame)
        for cell in cells { #expect(frame[cell.column, cell.row] == cell.color) }
    }

    @Test func `a finger that stays where it is writes an accent`() async throws {
        try await Self.withInstrument { session, client in
            session.mouse(.press, column: 4, row: 7)
            // ACCENT! is white letters, seven rows above the finger or three below it.
            try await session.terminal.wait(until: "the tooltip") { model in
                model.frame.map { frame in (0..<44).contains { frame[$0, 10] == Color(0xdadada) } } ?? false
            }
            session.mouse(.release, column: 4, row: 7)
            try await session.terminal.wait(until: "the accent") { $0.frame?[4, 7] == Color(0xff3333) }
            #expect(try await client.pattern().cells == Cells(drawnAs: "melody 0 X......."))
        }
    }

    @Test func `a resized window is drawn again, a small one in half-blocks`() async throws {
        try await Self.withInstrument { session, client in
            try await client.tap(column: 4, row: 7)
            for (columns, rows) in [(60, 20), (88, 26), (87, 40), (44, 14), (200, 60)] {
                session.terminal.resize(columns: columns, rows: rows)
                try await session.terminal.wait(until: "the note at \(columns)x\(rows)") {
                    $0.frame?[4, 7] == Color(0xff0000) && $0.shows("STOPPED")
                }
                try await agree(session, client)
            }
            session.terminal.resize(columns: 43, rows: 20)
            try await session.terminal.wait(until: "the size needed") { $0.shows("needs 44x12") }
        }
    }

    @Test func `suspended it leaves the shell its terminal, and fg brings it back`() async throws {
        try await Self.withInstrument { session, client in
            session.terminal.signal(SIGTSTP)
            try await session.terminal.wait(until: "the shell") {
                $0.shows("Stopped") && $0.modes == [25] && $0.shows("ready>\n")
            }
            #expect(session.terminal.isCooked)
            try await client.tap(column: 4, row: 7)
            session.terminal.type("fg; echo ended with $?\n")
            try await session.terminal.wait(until: "the instrument, up to date") { $0.frame?[4, 7] == Color(0xff0000) }
            session.mouse(.press, column: 5, row: 7)
            session.mouse(.release, column: 5, row: 7)
            try await session.terminal.wait(until: "a second note") { $0.frame?[5, 7] == Color(0xff0000) }
        }
    }

    @Test func `continued in the background it stops again, and the shell keeps its terminal`() async throws {
        try await Self.withInstrument { session, _ in
            session.terminal.signal(SIGTSTP)
            try await session.terminal.wait(until: "the shell") { $0.shows("Stopped") && $0.shows("ready>\n") }
            // A sum, because the terminal shows what is typed, too.
            session.terminal.type("bg; wait; echo waited $((1 + 1))\n")
            // Between the two, the shell may report the stop.
            try await session.terminal.wait(until: "that it has stopped") {
                $0.shows("waited 2\n") && $0.shows("ready>\n")
            }
            #expect(session.terminal.isCooked)
            #expect(session.terminal.model.modes == [25])
            session.terminal.type("fg; echo ended with $?\n")
            try await session.terminal.wait(until: "the instrument") { $0.shows("BPM") && $0.frame != nil }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a crash in the middle of a picture leaves the shell nothing of it`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        for _ in 0..<8 {
            let session = try ShellSession(socket: daemon.socketPath)
            try await session.openInstrument()
            session.terminal.resize(columns: 120, rows: 40)
            session.terminal.signal(SIGABRT)
            try await session.terminal.wait(until: "the shell") { $0.shows("ended with 134\nready>\n") }
            #expect(session.terminal.model.modes == [25])
            let words = (0..<40).map(session.terminal.model.line).joined(separator: " ").split(separator: " ")
            // Shells differ in whether they name the program.
            let said = words.filter { !["(core", "dumped)", "pixelboop", "tui"].contains($0) }
            #expect(said == ["Aborted", "ended", "with", "134", "ready>"])
        }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    /// Runs a test body with an instrument, and ends it with `q`. It needs no JACK server.
    private static func withInstrument(_ body: (ShellSession, PixelBoopClient) async throws -> Void) async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        let session = try ShellSession(socket: daemon.socketPath)
        try await session.openInstrument()
        try await body(session, try await daemon.connect())
        session.terminal.type("q")
        try await session.terminal.wait(until: "the shell") { $0.shows("ended with 0") }
        #expect(session.terminal.isCooked)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }
}

extension Frame {
    /// The picture without the one cell that moves while nothing happens.
    fileprivate var withoutMusicKey: Frame {
        var frame = self
        frame[0, 0] = .background
        return frame
    }
}
