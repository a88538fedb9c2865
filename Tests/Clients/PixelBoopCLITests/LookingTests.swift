import CannedDaemon
import Foundation
import Grid
import Instrument
import JSON
import Music
import ProgramTestSupport
import TestSupport
import Testing
import Wire

@Suite(.timeLimit(.minutes(1)))
struct LookingTests {
    private func run(_ arguments: [String], answering answer: JSONValue) async throws -> Program.Outcome {
        let daemon = try await CannedDaemon.start()
        return try await daemon.serving { _ in
            .success(answer)
        } while: { _ in
            try await Program.run(arguments, socket: daemon.path)
        }
    }

    @Test func `status shows the whole state in words`() async throws {
        var state = InstrumentState()
        state.transport = TransportStatus(state: .playing, step: 12)
        state.bpm = 127.3
        state.settings.set(.mute, on: .chords, to: true)
        state.settings.set(.pan, on: .bass, to: 0.25)
        state.slots[2] = TrackSlots(playing: 2, queued: 3, chain: [], filled: [2, 3])
        state.scenes = SceneLaunches(queued: nil, chain: [1, 2])
        state.settings.set(.kit, on: .rhythm, to: "909")
        state.audio = AudioState(status: .running, rate: 48_000, period: 64)
        let outcome = try await run(["status"], answering: .object(state.json))
        #expect(outcome.status == 0)
        #expect(
            outcome.output.hasPrefix(
                """
                playing, step 12
                127.3 BPM, C major, 32 steps, swing 0.5
                sync     internal
                scene    none: the tracks play slots of several, in turn 1 2
                melody  on     0 dB, centre, Sine, slot 1, no notes
                chords  muted  0 dB, centre, Triangle, slot 1, no notes
                bass    on     0 dB, 25 % right, Saw, slot 2, then 3, notes in 2 3
                rhythm  on     0 dB, centre, 909, slot 1, no notes
                history  0 to undo, 0 to redo
                audio    running, 48000 Hz, 64 frames a period
                daemon   /
                """))
        #expect(outcome.output.hasSuffix("control.sock, as PIXELBOOP_SOCKET says\n"))
    }

    @Test(arguments: [DriverState.noServer, .lost, .off])
    func `status exits with 1 without sound`(status: DriverState) async throws {
        let state = InstrumentState(audio: AudioState(status: status, reason: "none runs"))
        let outcome = try await run(["status"], answering: .object(state.json))
        #expect(outcome.status == 1 && outcome.complaint.isEmpty)
        #expect(outcome.output.contains("audio    \(status.rawValue): none runs\n"))
    }

    @Test(arguments: [(DriverState.running, "is not running: systemctl --user start"), (.noServer, "needs sound")])
    func `link says why no session is joined`(status: DriverState, words: String) async throws {
        let state = InstrumentState(audio: AudioState(status: status, reason: "none runs"))
        let outcome = try await run(["link"], answering: .object(state.json))
        #expect(outcome.status == 1 && outcome.complaint.contains(words))
    }

    @Test func `status --json prints the state as the daemon sent it, newer members included`() async throws {
        var json = InstrumentState().json
        json["future"] = [1, 2]
        let outcome = try await run(["status", "--json"], answering: .object(json))
        #expect(try JSONValue(parsing: outcome.output) == .object(json))
    }

    @Test func `stats names xruns, load and clients`() async throws {
        let statistics = Statistics(
            uptime: 61.5,
            audio: AudioStatistics(
                state: AudioState(status: .running, rate: 48_000, period: 64), xruns: 3, load: 0.041, worst: 212),
            clients: [ClientStatistics(id: 1, name: "tui", frames: DeliveryCounts(sent: 10, dropped: 2))],
            frames: DeliveryCounts(sent: 100, dropped: 20), errors: 1, memory: 12_582_912)
        let outcome = try await run(["stats"], answering: .object(statistics.json))
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("3 xruns, load 4.1 %, worst 212 us"))
        #expect(outcome.output.contains("1 tui: 10 frames sent, 2 dropped"))
        #expect(outcome.output.contains("12 MiB"))
    }

    @Test func `show prints the grid in 24-bit colour, a cell two characters wide`() async throws {
        var frame = Frame(filledWith: Color(0x010203))
        frame[43, 23] = Color(0xff8000)
        let outcome = try await run(
            ["show", "--color", "24bit"], answering: .object(KeyFrame(sequence: 1, frame: frame).json))
        let lines = outcome.output.split(separator: "\n")
        try #require(lines.count == 24)
        let row = "\u{1b}[39;48;2;1;2;3m" + String(repeating: " ", count: 86)
        #expect(lines[0] == row + "  \u{1b}[0m")
        #expect(lines[23] == row + "\u{1b}[39;48;2;255;128;0m  \u{1b}[0m")
    }

    @Test func `show --color 256 uses the palette`() async throws {
        let frame = Frame(filledWith: Color(0xff0000))
        let outcome = try await run(
            ["show", "--color", "256"], answering: .object(KeyFrame(sequence: 1, frame: frame).json))
        #expect(outcome.output.hasPrefix("\u{1b}[39;48;5;196m  "))
    }

    @Test func `show --png writes a picture of the size asked for`() async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await run(
            ["show", "--png", directory.file("a.png"), "--pixel", "6"],
            answering: .object(KeyFrame(sequence: 1, frame: Frame()).json))
        #expect(outcome.status == 0)
        let png = try directory.read("a.png")
        #expect(png.prefix(8) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        // The big-endian width and height follow the IHDR chunk's length and name.
        #expect(png.dropFirst(16).prefix(8) == [0, 0, 1, 0x33, 0, 0, 0, 0xa7])
    }

    @Test func `the methods are described without a daemon, in words and as JSON`() async throws {
        func call(_ arguments: String...) async throws -> String {
            try await Program.run(["call"] + arguments, socket: "/nowhere").output
        }
        let all = try JSONValue(parsing: try await call("--json")).arrayValue
        #expect(all?.compactMap { $0.objectValue?["name"]?.stringValue } == Methods.all.map(\.name))
        #expect(try await call().split(separator: "\n").count == Methods.all.count)
        let one = try JSONValue(parsing: try await call("note.set", "--describe", "--json")).objectValue
        #expect(one?["name"] == "note.set" && one?["params"]?.arrayValue?.count == 5 + NoteValue.allCases.count)
        #expect(try await call("note.set", "--describe").hasPrefix("note.set: Sets one cell"))
    }

    @Test func `watch prints events as they come, and ends after the count`() async throws {
        let daemon = try await CannedDaemon.start()
        async let running = Program.run(["watch", "--topics", "step", "tooltip", "--count", "2"], socket: daemon.path)
        let peer = try await daemon.welcome()
        let hello = try #require(try await peer.receive())
        try await peer.answer(hello, .success(.object(Welcome(version: "canned").json)))
        let call = try #require(try await peer.receive())
        #expect(call.parameters == .byName(["topics": ["step", "tooltip"], "maxFps": 60]))
        try await peer.answer(call, .success([:]))
        try await peer.send(StepEvent(step: 1, frame: 2, usecs: 3).line)
        try await peer.send(TooltipEvent(text: "ERASE", row: 4, milliseconds: 1200).line)
        let outcome = try await running
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                {"method":"step","params":{"step":1,"frame":2,"usecs":3}}
                {"method":"tooltip","params":{"text":"ERASE","row":4,"ms":1200}}

                """)
    }
}
