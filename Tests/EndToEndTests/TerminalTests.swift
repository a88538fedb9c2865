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

/// The instrument in a terminal: keys and mouse in, the daemon's picture out, through a shell as people have it.
@Suite(.timeLimit(.minutes(2))) struct TerminalTests {
    /// Where the arpeggio of the test stands on the grid, and in which colours: one degree of C major a step, and back from
    /// the track's last note.
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

    /// Returns when the status line shows what the daemon has: how many xruns there are is up to the machine.
    private func agreeOnStatus(_ session: ShellSession, _ client: PixelBoopClient) async throws {
        while true {
            let xruns = try await client.statistics().audio.xruns
            let before = session.terminal.model.screen
            let wanted = "STOPPED        120 BPM  C MAJOR  JACK 48000/256  \(xruns) XRUNS"
            if session.terminal.model.line(26).contains(wanted) { return }
            try await session.terminal.wait(until: "the status line") { $0.screen != before }
        }
    }

    /// Returns when the terminal shows what the daemon has; the music key, which never rests, aside.
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

    @Test func `without a mouse it is played by keys: a tap, a hold and a drag`() async throws {
        try await Self.withInstrument { session, client in
            session.terminal.type("\u{1b}[A\r")
            try await session.terminal.wait(until: "the cursor") { $0.shows("Melody, C, step 1") }
            #expect(try await client.pattern().cells == Cells(drawnAs: "melody 0 o......."))
            session.terminal.type("\u{1b}[Ch")
            // ACCENT! is white letters three rows below the finger, farther to the left than the tap's C4.
            try await session.terminal.wait(until: "the tooltip") { model in
                (8..<16).contains { model.screen[6 + 2 * $0, 12].background == Color(0xdadada) }
            }
            session.terminal.type("\r")
            try await session.terminal.wait(until: "the accent") { $0.screen[16, 9].background == Color(0xff3333) }
            session.terminal.type("\u{1a}\u{1a}\u{1b}[Dd" + String(repeating: "\u{1b}[C", count: 7) + "\r")
            try await session.terminal.wait(until: "the last note") {
                $0.screen[6 + 20, 2 + 2].background == Color(0x8a2be2)
            }
            #expect(try await client.pattern().cells == Cells(drawnAs: Self.arpeggioCells))
        }
    }

    @Test func `each key does what the line below the grid says`() async throws {
        try await Stage.with { stage in
            let client = try await stage.connect()
            let session = try ShellSession(socket: stage.daemon.socketPath)
            try await session.openInstrument()
            let before = Cells(drawnAs: "melody 0 o.......")
            try await client.tap(column: 4, row: 7)
            #expect(try await client.pattern().cells == before)

            session.terminal.type(" ")
            try await session.terminal.wait(until: "PLAYING") { $0.line(26).contains("PLAYING") }
            try await client.waitForState { $0.transport.state == .playing }
            session.terminal.type(" ")
            try await session.terminal.wait(until: "STOPPED") { $0.line(26).contains("STOPPED") }
            session.terminal.type("++-")
            try await session.terminal.wait(until: "the tempo") { $0.line(26).contains("125 BPM") }
            session.terminal.type("\u{1a}")
            try await client.waitForState { $0.history == HistoryCounts(undo: 0, redo: 1) }
            #expect(try await client.pattern().cells == Cells())
            session.terminal.type("\u{19}")
            try await client.waitForState { $0.history == HistoryCounts(undo: 1, redo: 0) }
            #expect(try await client.pattern().cells == before)
            session.terminal.type("\u{1b}[3~")
            try await client.waitForState { $0.history == HistoryCounts(undo: 2, redo: 0) }
            #expect(try await client.pattern().cells == Cells())
            session.terminal.type("\u{3}")
            try await session.expectEnd(status: 0)
        }
    }

    @Test func `another size of the window is drawn anew, small ones in half-blocks`() async throws {
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
            try await session.terminal.wait(until: "the size needed") { $0.shows("44x12 needed") }
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

    @Test(arguments: [SIGTERM, SIGABRT, SIGSEGV])
    func `the shell has its terminal back after a signal from outside`(signal: Int32) async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        let session = try ShellSession(socket: daemon.socketPath)
        try await session.openInstrument()
        session.terminal.signal(signal)
        try await session.expectEnd(status: 128 + signal)
        #expect(session.terminal.isCooked)
        #expect(await daemon.end(with: SIGTERM) == 0)
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
            let said = words.filter { !["(core", "dumped)"].contains($0) }
            #expect(said == ["Aborted", "ended", "with", "134", "ready>"])
        }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `it plays on with the daemon that comes after the one that went`() async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        let session = try ShellSession(socket: daemon.socketPath)
        try await session.openInstrument()
        for note in 0..<2 {
            #expect(await daemon.end(with: note == 0 ? SIGTERM : SIGKILL) == (note == 0 ? 0 : -SIGKILL))
            try await session.terminal.wait(until: "why it is dark") { $0.shows("trying again") }
            try await daemon.start()
            try await session.terminal.wait(until: "the new daemon") { $0.shows("Space play") }
            session.mouse(.press, column: 4 + note, row: 7)
            session.mouse(.release, column: 4 + note, row: 7)
            try await session.terminal.wait(until: "the note") { $0.frame?[4 + note, 7] == Color(0xff0000) }
        }
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a terminal that does not say it knows 24 bits gets xterm's 256 colours`() async throws {
        try await Self.withInstrument(variables: ["TERM": "xterm-256color"]) { session, client in
            try await client.tap(column: 5, row: 3)
            // A is #00aaff; the palette's nearest is colour 39.
            try await session.terminal.wait(until: "the note") { $0.frame?[5, 3] == Color(0x00afff) }
        }
    }

    /// Runs a test body with an instrument, and ends it with `q`. It needs no JACK server.
    private static func withInstrument(
        variables: [String: String] = ["TERM": "xterm", "COLORTERM": "truecolor"],
        _ body: (ShellSession, PixelBoopClient) async throws -> Void
    ) async throws {
        let daemon = try DaemonProcess(jackServer: "pixelboop-nobody")
        try await daemon.start()
        let session = try ShellSession(socket: daemon.socketPath, variables: variables)
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
