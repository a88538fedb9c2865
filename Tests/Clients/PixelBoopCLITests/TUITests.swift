import CannedDaemon
import Foundation
import Grid
import JSON
import ProgramTestSupport
import TerminalGrid
import TestSupport
import Testing
import Wire

/// The built program in a pseudo-terminal.
@Suite(.timeLimit(.minutes(1)))
struct TUITests {
    private final class Run {
        let terminal: PseudoTerminal
        let program: ChildProgram

        /// - Parameter variables: The environment that describes the terminal.
        init(
            _ arguments: [String], socket: String,
            variables: [String: String] = ["TERM": "xterm", "COLORTERM": "truecolor"]
        ) throws {
            terminal = try PseudoTerminal(columns: 88, rows: 26)
            program = try ChildProgram(
                Program.url, arguments, environment: variables.merging(["PIXELBOOP_SOCKET": socket]) { $1 },
                input: terminal.programEnd, output: .written(terminal.programEnd, errors: terminal.programEnd)
            ).start()
        }

        /// Returns when the program has ended: its exit code, or the signal that ended it as a negative number.
        @discardableResult
        func end() async -> Int32 { await program.end(with: 0) }
    }

    /// The first and last sequences of a program that takes over the terminal.
    private let taken = ControlSequences.enterScreen
    private let givenBack = ControlSequences.leaveScreen

    private func mouse(_ code: Int, column: Int, row: Int, released: Bool = false) -> String {
        "\u{1b}[<\(code);\(2 * column + 1);\(row + 1)\(released ? "m" : "M")"
    }

    /// Welcomes the program and answers its first calls.
    private func welcome(_ daemon: CannedDaemon, showing frame: Frame = Frame()) async throws -> CannedPeer {
        let peer = try await daemon.welcome()
        var isSubscribed = false
        while !isSubscribed {
            let call = try #require(try await peer.receive())
            switch call.method {
            case "hello":
                let touch: JSONValue = ["resolution": "cell", "cellPixels": 21]
                #expect(call.parameters == .byName(["client": "pixelboop tui", "touch": touch]))
                try await peer.answer(call, .success(.object(Welcome(version: "canned").json)))
            case "subscribe":
                let frame = KeyFrame(sequence: 1, frame: frame)
                let state = JSONValue.object(InstrumentState().json)
                try await peer.answer(call, .success(["frame": .object(frame.json), "state": state]))
                isSubscribed = true
            default: break
            }
        }
        return peer
    }

    /// The program's next call that is not about statistics.
    private func nextCall(_ peer: CannedPeer) async throws -> Request {
        while let call = try await peer.receive() {
            if call.method != "stats.get" { return call }
        }
        throw CancellationError()
    }

    private func start() async throws -> (Run, CannedDaemon, CannedPeer) {
        let daemon = try await CannedDaemon.start()
        let run = try Run(["tui"], socket: daemon.path)
        let peer = try await welcome(daemon)
        try await run.terminal.expect(taken)
        try await run.terminal.expect("STOPPED")
        return (run, daemon, peer)
    }

    @Test func `the mouse draws: press, drag and release reach the daemon as a touch, and its diff reaches the screen`()
        async throws
    {
        let (run, _, peer) = try await start()
        #expect(!run.terminal.isCooked)
        run.terminal.type(mouse(0, column: 4, row: 5) + mouse(32, column: 5, row: 5))
        run.terminal.type(mouse(0, column: 6, row: 5, released: true))
        for (phase, x) in [("down", 4.5), ("move", 5.5), ("up", 6.5)] {
            let call = try await nextCall(peer)
            #expect(call.method == "touch")
            #expect(
                call.parameters == .byName(["touch": 1, "phase": .string(phase), "x": .number(x), "y": 5.5]))
        }
        let change = CellChange<UInt32>(index: 5 * Frame.columns + 4, value: 0x123456)
        try await peer.send(FrameUpdate(sequence: 2, base: 1, changes: [change]).line)
        try await run.terminal.expect("\u{1b}[6;9H\u{1b}[39;48;2;18;52;86m  ")
        run.terminal.type("q")
        try await run.terminal.expect(givenBack)
        #expect(await run.end() == 0)
        #expect(run.terminal.isCooked)
    }

    @Test func `quitting is not shown as a lost connection`() async throws {
        let (run, _, _) = try await start()
        run.terminal.type("q")
        #expect(try await run.terminal.expect(givenBack).contains("Error") == false)
        #expect(await run.end() == 0)
    }

    @Test func `it is played by keys alone: tap, hold and drag`() async throws {
        let (run, _, peer) = try await start()
        // The first key shows the cursor. Then a tap on the cell to its right, a hold, and a drag to the right.
        run.terminal.type("\u{1b}[C\u{1b}[C\r" + "h\r" + "d\u{1b}[C\r")
        let touches: [(String, Double)] = [
            ("down", 5.5), ("up", 5.5), ("down", 5.5), ("up", 5.5), ("down", 5.5), ("move", 6.5), ("up", 6.5),
        ]
        for (phase, x) in touches {
            let call = try await nextCall(peer)
            #expect(call.parameters == .byName(["touch": 3, "phase": .string(phase), "x": .number(x), "y": 7.5]))
        }
        try await run.terminal.wait(until: "the cell's name") { $0.shows("Melody, C or C sharp, step 3") }
        run.terminal.type("r")
        let record = try await nextCall(peer)
        #expect(record.method == "transport.record" && record.parameters == .byName(["on": true]))
        run.terminal.type("q")
        await run.end()
    }

    @Test(arguments: ["linux", "vt100"])
    func `a terminal with few colours or none is sent no others, and no modes`(type: String) async throws {
        let daemon = try await CannedDaemon.start()
        let run = try Run(["tui"], socket: daemon.path, variables: ["TERM": type, "COLORTERM": "truecolor"])
        var frame = Frame(filledWith: Color(0x4ecdc4))
        frame[0, 0] = Color(0xff5040)
        let peer = try await welcome(daemon, showing: frame)
        let corner = type == "linux" ? Glyph("\u{2588}", foreground: TerminalModel.sixteen[9]) : Glyph("+")
        try await run.terminal.wait(until: "picture and status") { $0.screen[0, 0] == corner && $0.shows("STOPPED") }
        let model = run.terminal.model
        #expect(model.modes.isEmpty)
        for row in 0..<26 {
            for glyph in (0..<88).map({ model.screen[$0, row] }) {
                let colors = [glyph.foreground, glyph.background].compactMap(\.self)
                if type == "linux" {
                    if !colors.allSatisfy(TerminalModel.sixteen.contains) { Issue.record("\(glyph)") }
                } else if !colors.isEmpty || !glyph.character.isASCII {
                    Issue.record("\(glyph)")
                }
            }
        }
        run.terminal.type("q")
        try await run.terminal.expect(ControlSequences.leaveOnlyScreen)
        await run.end()
        #expect(run.terminal.isCooked)
        _ = peer
    }

    @Test func `a daemon that does not know labels can still be played`() async throws {
        let daemon = try await CannedDaemon.start()
        let run = try Run(["tui"], socket: daemon.path)
        let peer = try await daemon.welcome()
        let hello = try #require(try await peer.receive())
        try await peer.answer(hello, .success(.object(Welcome(version: "canned").json)))
        let first = try await nextCall(peer)
        #expect(first.parameters == .byName(["topics": ["frame", "state", "tooltip", "labels"], "maxFps": 60]))
        try await peer.answer(first, .failure(WireError(.invalidParams, "topics: labels")))
        var call = try await nextCall(peer)
        while call.method == "unsubscribe" { call = try await nextCall(peer) }
        #expect(call.parameters == .byName(["topics": ["frame", "state"], "maxFps": 60]))
        let frame = JSONValue.object(KeyFrame(sequence: 1, frame: Frame()).json)
        try await peer.answer(call, .success(["frame": frame, "state": .object(InstrumentState().json)]))
        try await run.terminal.expect("STOPPED")
        run.terminal.type("q")
        await run.end()
    }

    @Test func `keys reach the daemon, and its refusals the screen`() async throws {
        let (run, _, peer) = try await start()
        run.terminal.type(" ")
        let toggle = try await nextCall(peer)
        #expect(toggle.method == "transport.toggle")
        try await peer.answer(toggle, .failure(WireError(.noAudio, "no JACK server runs")))
        try await run.terminal.expect("no JACK server runs")
        for (key, method) in [
            ("\u{1a}", "history.undo"), ("\u{19}", "history.redo"), ("\u{1b}[3~", "pattern.clear"),
            ("\u{0e}", "pattern.new"),
        ] {
            run.terminal.type(key)
            let call = try await nextCall(peer)
            #expect(call.method == method)
            try await peer.answer(call, .success(["undo": 0, "redo": 0]))
        }
        run.terminal.type("\u{03}")
        #expect(await run.end() == 0)
    }

    @Test func `keys play, for a step or until their release where that is reported, and what was undone is said`()
        async throws
    {
        let (run, _, peer) = try await start()
        run.terminal.type("k")
        try await run.terminal.expect("s D")
        func expectCall(_ method: String, _ parameters: JSONObject) async throws {
            let call = try await nextCall(peer)
            #expect(call.method == method && call.parameters == .byName(parameters))
            try await peer.answer(call, .success([:]))
        }
        for typed in ["s", "\u{1b}[115u"] {
            run.terminal.type(typed)
            try await expectCall("keys.press", ["track": "melody", "key": 62, "velocity": 64])
            if typed != "s" { run.terminal.type("\u{1b}[115;1:3u") }
            try await expectCall("keys.release", ["track": "melody", "key": 62])
        }
        run.terminal.type("\u{1b}[27u\u{1a}")
        let undo = try await nextCall(peer)
        try await peer.answer(undo, .success(["undo": 0, "redo": 1, "what": "the preset of Bass"]))
        try await run.terminal.expect("Undid the preset of Bass")
        run.terminal.type("q")
        #expect(await run.end() == 0)
    }

    @Test func `a key holds a punch-in until its release where that is reported, or for a while`() async throws {
        let (run, _, peer) = try await start()
        func expectTouch(_ phase: String, _ x: Double) async throws {
            let call = try await nextCall(peer)
            #expect(call.method == "touch")
            #expect(call.parameters == .byName(["touch": 10, "phase": .string(phase), "x": .number(x), "y": 22.5]))
        }
        for typed in ["x", "\u{1b}[120u"] {
            run.terminal.type(typed)
            try await expectTouch("down", 7.5)
            try await expectTouch("move", 8.5)
            if typed != "x" { run.terminal.type("\u{1b}[120;1:3u") }
            try await expectTouch("up", 8.5)
        }
        run.terminal.type("q")
        #expect(await run.end() == 0)
    }

    @Test func `what is pasted plays, launches and edits nothing`() async throws {
        let (run, _, peer) = try await start()
        run.terminal.type("\u{1b}[200~q 1\u{03}\u{1a}\u{1b}[3~quick\r\n\u{1b}[201~ ")
        let call = try await nextCall(peer)
        #expect(call.method == "transport.toggle")
        try await peer.answer(call, .success(["state": "playing", "step": 0]))
        run.terminal.type("q")
        #expect(await run.end() == 0)
    }

    @Test func `a terminal that reports the largest possible size is drawn in part`() async throws {
        let (run, daemon, peer) = try await start()
        run.terminal.resize(columns: 65535, rows: 65535)
        run.program.send(SIGWINCH)
        try await run.terminal.expect("STOPPED")
        run.terminal.type("q")
        #expect(await run.end() == 0)
        _ = (daemon, peer)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGSEGV, SIGILL, SIGABRT, SIGTRAP])
    func `however it ends, the terminal is restored`(signal: Int32) async throws {
        let (run, daemon, peer) = try await start()
        run.program.send(signal)
        try await run.terminal.expect(
            ControlSequences.disablePasteMarks + ControlSequences.disableMouse + givenBack)
        #expect(await run.end() == -signal)
        #expect(run.terminal.isCooked)
        _ = (daemon, peer)
    }

    @Test func `it reports that the daemon is gone, and plays on when it is back`() async throws {
        let place = try TemporaryDirectory()
        let first = try await CannedDaemon.start(at: place)
        let run = try Run(["tui"], socket: place.socket)
        let peer = try await welcome(first)
        try await run.terminal.expect("STOPPED")
        try await first.stop()
        try await peer.send(Bye(reason: "shutting down").line)
        try await peer.close()
        try await run.terminal.expect("connection lost: shutting down")
        try await run.terminal.wait(until: "that it tries again") { $0.shows("trying again in ") }
        let second = try await CannedDaemon.start(at: place)
        let newPeer = try await welcome(second)
        try await run.terminal.expect("Space play")
        run.terminal.type(" ")
        #expect(try await nextCall(newPeer).method == "transport.toggle")
        run.terminal.type("q")
        #expect(await run.end() == 0)
    }

    @Test func `a daemon that is missing at the start is reported, with the terminal untouched`()
        async throws
    {
        let place = try TemporaryDirectory()
        let run = try Run(["tui"], socket: place.socket)
        try await run.terminal.expect("no daemon at \(place.socket)")
        #expect(await run.end() == 3)
        #expect(run.terminal.isCooked)
    }
}
