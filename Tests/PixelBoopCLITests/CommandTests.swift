import CannedDaemon
import JSON
import ProgramTestSupport
import Testing
import Wire

/// What commands send and print.
// One after the other: sixty programs at once wait for each other for longer than a daemon's welcome may take.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CommandTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var calls: [Request]
        var output: String

        init(_ command: String, _ calls: [(String, JSONObject)], _ output: String = "") {
            arguments = command.split(separator: " ").map(String.init)
            self.calls = calls.map { Request(id: nil, method: $0.0, parameters: .byName($0.1)) }
            self.output = output
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let cases = [
        Case("play", [("transport.play", [:])], "playing, step 3\n"),
        Case("play --from 8", [("transport.locate", ["step": 8]), ("transport.play", [:])], "playing, step 3\n"),
        Case("stop --json", [("transport.stop", [:])], "{\"state\":\"stopped\",\"step\":0,\"record\":false}\n"),
        Case("stop", [("transport.stop", [:])], "stopped\n"),
        Case("pause", [("transport.pause", [:])], "paused, step 7\n"),
        Case("toggle", [("transport.toggle", [:])], "playing, step 3\n"),
        Case("record", [("transport.record", ["on": true])], "stopped, recording\n"),
        Case("record --off", [("transport.record", ["on": false])], "stopped, recording\n"),
        Case("tempo 127.3", [("tempo.set", ["bpm": 127.3])], "127.3 BPM\n"),
        Case("tempo tap --json", [("tempo.tap", [:])], "{\"bpm\":127.3}\n"),
        Case("sync auto --lead JACK", [("sync.set", ["source": "auto", "lead": ["jack"]])]),
        Case("sync --lead none", [("sync.set", ["lead": []])]),
        Case("sync --quantum 8", [("sync.set", ["quantum": 8])]),
        Case("sync --start-stop", [("sync.set", ["startStop": true])]),
        Case("sync --no-start-stop", [("sync.set", ["startStop": false])]),
        Case("sync --offset-in -12.5", [("sync.set", ["offsetIn": -12.5])]),
        Case("sync --offset-out=7", [("sync.set", ["offsetOut": 7])]),
        Case(
            "sync midi --lead jack,midi --offset-out -3 --quantum 2",
            [("sync.set", ["source": "midi", "lead": ["jack", "midi"], "quantum": 2, "offsetOut": -3])]),
        Case("set sync.lead jack", [("sync.set", ["lead": ["jack"]])], "sync.lead jack\n"),
        Case("scale penta", [("scale.set", ["scale": "penta"])]),
        Case("root f#", [("root.set", ["root": "F#"])]),
        Case("length 16", [("length.set", ["length": 16])]),
        Case("swing 0.6", [("swing.set", ["swing": 0.6])]),
        Case(
            "track bass --mute on --solo off --gain -3.5 --pan -1",
            [("track.set", ["track": "bass", "mute": true, "solo": false, "gain": -3.5, "pan": -1])],
            "bass    muted  -3.5 dB, 100 % left\n"),
        Case(
            "track bass --preset acid --velocity-normal 64",
            [("track.set", ["track": "bass", "preset": "Acid", "velocityNormal": 64])],
            """
            bass    muted  -3.5 dB, 100 % left
              preset           Acid
              velocity-normal  64

            """),
        Case(
            "track bass", [("track.set", ["track": "bass"])],
            """
            bass    muted  -3.5 dB, 100 % left
              preset           Acid
              velocity-normal  64

            """),
        Case(
            "touch tap 4 5",
            [
                ("touch", ["touch": 1, "phase": "down", "x": 4.5, "y": 5.5]),
                ("touch", ["touch": 1, "phase": "up", "x": 4.5, "y": 5.5]),
            ], "arpeggio: 4 notes\n"),
        Case("note melody 3 C#", [("note.set", ["track": "melody", "step": 3, "note": 1, "velocity": "normal"])]),
        Case(
            "note rhythm 31 closed-hat accent",
            [("note.set", ["track": "rhythm", "step": 31, "note": 7, "velocity": "accent"])]),
        Case("scene 3", [("scene.launch", ["scene": 3, "when": "queued"])]),
        Case("scene 1 2 3 2", [("scene.chain", ["scenes": [1, 2, 3, 2]])]),
        Case("scene copy 1 4", [("scene.copy", ["from": 1, "to": 4])]),
        Case("slot melody 3 --now", [("slot.launch", ["track": "melody", "slot": 3, "when": "now"])]),
        Case("slot bass 1 1 2", [("slot.chain", ["track": "bass", "slots": [1, 1, 2]])]),
        Case("slot copy melody 1 2", [("slot.copy", ["track": "melody", "from": 1, "to": 2])]),
        Case("slot clear rhythm 8", [("slot.clear", ["track": "rhythm", "slot": 8])]),
        Case("slot cancel", [("slot.cancel", [:])]),
        Case("set launch.quantum bar", [("launch.set", ["quantum": "bar"])], "launch.quantum bar\n"),
        Case("load one --scene 5", [("library.load", ["name": "one", "scene": 5])]),
        Case("undo", [("history.undo", [:])], "2 to undo, 1 to redo\n"),
        Case("redo --json", [("history.redo", [:])], "{\"undo\":2,\"redo\":1}\n"),
        Case("clear", [("pattern.clear", [:])]),
        Case("save one", [("library.save", ["name": "one"])]),
        Case("load one", [("library.load", ["name": "one"])]),
        Case("rename one two", [("library.rename", ["name": "one", "to": "two"])]),
        Case("delete two", [("library.delete", ["name": "two"])]),
        Case("list", [("library.list", [:])], "one  120 BPM     major  16 steps  2026-01-02T12:34:56Z\n"),
        Case(
            "export --wav /tmp/a.wav --loops 2 --rate 44100",
            [("export.wav", ["path": "/tmp/a.wav", "loops": 2, "rate": 44100])], "/tmp/a.wav: 96000 frames\n"),
        Case(
            "export --wav /tmp/a.wav --scenes 1,1,2",
            [("export.wav", ["path": "/tmp/a.wav", "loops": 1, "scenes": [1, 1, 2]])], "/tmp/a.wav: 96000 frames\n"),
        Case("call some.method {\"a\":1}", [("some.method", ["a": 1])], "{}\n"),
        Case("call some.method a=1 b=x", [("some.method", ["a": 1, "b": "x"])], "{}\n"),
        Case(
            "call note.set track=bass step=0 note=7 velocity=accent",
            [("note.set", ["track": "bass", "step": 0, "note": 7, "velocity": "accent"])], "{}\n"),
        // A name that looks like a number is a name all the same.
        Case("call library.save name=12", [("library.save", ["name": "12"])], "{}\n"),
        Case("call unsubscribe topics=step,state", [("unsubscribe", ["topics": ["step", "state"]])], "{}\n"),
        Case("set colors Harmonic", [("colors.set", ["mode": "harmonic"])], "colors harmonic\n"),
        Case("set ghosts off --json", [("ghosts.set", ["on": false])], "{\"ghosts\":false}\n"),
        Case("set bpm 127.3", [("tempo.set", ["bpm": 127.3])], "bpm 127.3\n"),
    ]

    private static let answers: [String: JSONValue] = [
        "transport.play": ["state": "playing", "step": 3], "transport.toggle": ["state": "playing", "step": 3],
        "transport.locate": ["state": "stopped", "step": 8], "transport.stop": ["state": "stopped", "step": 0],
        "transport.record": ["state": "stopped", "step": 0, "record": true],
        "transport.pause": ["state": "paused", "step": 7], "tempo.set": ["bpm": 127.3], "tempo.tap": ["bpm": 127.3],
        "track.set": [
            "mute": true, "solo": false, "gain": -3.5, "pan": -1, "preset": "Acid", "velocityNormal": 64,
        ],
        "history.undo": ["undo": 2, "redo": 1], "history.redo": ["undo": 2, "redo": 1],
        "library.list": [
            ["name": "one", "modified": "2026-01-02T12:34:56Z", "bpm": 120, "scale": "major", "length": 16]
        ],
        "export.wav": ["path": "/tmp/a.wav", "frames": 96000],
    ]

    static func answer(_ call: Request) -> Result<JSONValue, WireError> {
        if case .byName(let parameters) = call.parameters, parameters["phase"] == "up" {
            return .success(["gesture": "arpeggio", "notes": 4, "frame": .null])
        }
        return .success(answers[call.method] ?? [:])
    }

    @Test(arguments: cases)
    func `each command makes its calls and prints what came of them`(_ test: Case) async throws {
        let daemon = try await CannedDaemon.start()
        try await daemon.serving(Self.answer) { log in
            let outcome = try await Program.run(test.arguments, socket: daemon.path)
            #expect(outcome.complaint.isEmpty)
            #expect(outcome.status == 0)
            #expect(outcome.output == test.output)
            #expect(
                log.all.map { Request(id: nil, method: $0.method, parameters: $0.parameters) } == test.calls)
        }
    }
}
