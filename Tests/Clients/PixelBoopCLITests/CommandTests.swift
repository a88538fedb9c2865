import CannedDaemon
import JSON
import Music
import ProgramTestSupport
import Testing
import Wire

/// What commands send and print.
// Serialized: sixty programs at once slow each other down until the daemon's welcome times out.
@Suite(.serialized, .timeLimit(.minutes(1)))
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
        Case("catch", [("transport.catch", [:])], "3 notes\n"),
        Case("record --off", [("transport.record", ["on": false])], "stopped, recording\n"),
        Case("tempo 127.3", [("tempo.set", ["bpm": 127.3])], "127.3 BPM\n"),
        Case("tempo tap --json", [("tempo.tap", [:])], "{\"bpm\":127.3}\n"),
        Case("lens bass chance", [("lens.set", ["track": "bass", "lens": "chance"])]),
        Case("lens bass lfoDepth", [("lens.set", ["track": "bass", "lens": "lfoDepth"])]),
        Case("lens bass none", [("lens.set", ["track": "bass"])]),
        Case("lens melody ratchet --reset", [("lens.reset", ["track": "melody", "lens": "ratchet"])]),
        Case(
            "slot bass 1 --length 12 --speed 3/2",
            [("slot.set", ["track": "bass", "slot": 1, "length": 12, "speed": "3/2"])]),
        Case("slot bass 2 --length none", [("slot.set", ["track": "bass", "slot": 2, "length": 0])]),
        Case(
            "motion bass tone 0:-12 16:12.5",
            [
                ("motion.set", ["track": "bass", "parameter": "tone", "step": 0, "value": -12]),
                ("motion.set", ["track": "bass", "parameter": "tone", "step": 16, "value": 12.5]),
            ]),
        Case(
            "motion bass gain 16: --slot 2",
            [("motion.set", ["track": "bass", "parameter": "gain", "step": 16, "slot": 2])]),
        Case("motion bass pan --clear", [("motion.clear", ["track": "bass", "parameter": "pan"])]),
        Case("motion bass lfodepth --clear", [("motion.clear", ["track": "bass", "parameter": "lfoDepth"])]),
        Case("motion bass --clear --slot 3", [("motion.clear", ["track": "bass", "slot": 3])]),
        Case("motion rhythm", [("motion.get", ["track": "rhythm"])], "nothing moves\n"),
        Case("fill on", [("fill.set", ["on": true])]), Case("fill off", [("fill.set", ["on": false])]),
        Case(
            "punch throw 0.25 --seconds 0.01",
            [
                ("subscribe", ["topics": ["punch"], "maxFps": 60]),
                (
                    "punch.set",
                    ["effect": "throw", "amount": 0.25, "tracks": ["melody", "chords", "bass", "rhythm"]]
                ), ("unsubscribe", ["topics": ["punch"]]), ("punch.end", ["effect": "throw"]),
            ]),
        Case("dice freeze rhythm", [("dice.freeze", ["track": "rhythm"])]),
        Case("sync auto --lead JACK", [("sync.set", ["source": "auto", "lead": ["jack"]])]),
        Case("sync --lead none", [("sync.set", ["lead": []])]),
        Case("sync --quantum 8", [("sync.set", ["quantum": 8])]),
        Case("sync --start-stop", [("sync.set", ["startStop": true])]),
        Case("sync --no-start-stop", [("sync.set", ["startStop": false])]),
        Case("sync --offset-in -12.5", [("sync.set", ["offsetIn": -12.5])]),
        Case("sync --latency compensate", [("sync.set", ["latency": "compensate"])]),
        Case("sync --offset-out=7", [("sync.set", ["offsetOut": 7])]),
        Case(
            "sync midi --lead jack,midi --offset-out -3 --quantum 2",
            [("sync.set", ["source": "midi", "lead": ["jack", "midi"], "quantum": 2, "offsetOut": -3])]),
        Case("set sync.lead jack", [("sync.set", ["lead": ["jack"]])], "sync.lead jack\n"),
        Case("tempo +5", [("state.get", [:]), ("tempo.set", ["bpm": 131])], "127.3 BPM\n"),
        Case("tempo -5", [("state.get", [:]), ("tempo.set", ["bpm": 121])], "127.3 BPM\n"),
        Case("tempo -5 --json", [("state.get", [:]), ("tempo.set", ["bpm": 121])], "{\"bpm\":127.3}\n"),
        Case("tempo --json -5", [("state.get", [:]), ("tempo.set", ["bpm": 121])], "{\"bpm\":127.3}\n"),
        Case("tempo --json +5", [("state.get", [:]), ("tempo.set", ["bpm": 131])], "{\"bpm\":127.3}\n"),
        Case("clear --json", [("pattern.clear", [:])], "{}\n"),
        Case("save x --json", [("library.save", ["name": "x"])], "{}\n"),
        Case("tempo +500", [("state.get", [:]), ("tempo.set", ["bpm": 300])], "127.3 BPM\n"),
        Case("tempo", [("state.get", [:])], "126 BPM\n"),
        Case("scale penta", [("scale.set", ["scale": "penta"])], "penta\n"),
        Case("scale", [("state.get", [:])], "minor\n"),
        Case("scale --json", [("state.get", [:])], "{\"scale\":\"minor\"}\n"),
        Case("root f#", [("root.set", ["root": "F#"])], "F#\n"),
        Case("root Bb --json", [("root.set", ["root": "A#"])], "{\"root\":\"A#\"}\n"),
        Case("root cb", [("root.set", ["root": "B"])], "B\n"),
        Case("root b", [("root.set", ["root": "B"])], "B\n"),
        Case("root", [("state.get", [:])], "D#\n"),
        Case("set root eb", [("root.set", ["root": "D#"])], "root D#\n"),
        Case("length 16", [("length.set", ["length": 16])], "16\n"),
        Case("length", [("state.get", [:])], "24\n"),
        Case("swing 0.6", [("swing.set", ["swing": 0.6])], "0.6\n"),
        Case("swing", [("state.get", [:])], "0.5\n"),
        Case("set bpm", [("state.get", [:])], "bpm 126\n"),
        Case("set tempo", [("state.get", [:])], "bpm 126\n"),
        Case("set sync.offset-in 5", [("sync.set", ["offsetIn": 5])], "sync.offsetIn 5\n"),
        Case("set sync.offsetIn 5", [("sync.set", ["offsetIn": 5])], "sync.offsetIn 5\n"),
        Case("sync --offsetIn 5 --startStop", [("sync.set", ["offsetIn": 5, "startStop": true])]),
        Case(
            "track bass --mute on --solo off --gain -3.5 --pan -1",
            [("track.set", ["track": "bass", "mute": true, "solo": false, "gain": -3.5, "pan": -1])],
            "bass    muted  -3.5 dB, 100 % left\n"),
        Case(
            "track bass --preset acid --velocity-normal 64",
            [("track.set", ["track": "bass", "preset": "Acid", "velocityNormal": 64])],
            """
            bass    muted  -3.5 dB, 100 % left
              preset          Acid
              velocityNormal  64

            """),
        Case(
            "track bass --velocityNormal 64", [("track.set", ["track": "bass", "velocityNormal": 64])],
            "bass    muted  -3.5 dB, 100 % left\n  velocityNormal  64\n"),
        Case(
            "track bass", [("track.set", ["track": "bass"])],
            """
            bass    muted  -3.5 dB, 100 % left
              preset          Acid
              velocityNormal  64

            """),
        Case(
            "touch tap 4 5",
            [
                ("touch", ["touch": 1, "phase": "down", "x": 4.5, "y": 5.5]),
                ("touch", ["touch": 1, "phase": "up", "x": 4.5, "y": 5.5]),
            ], "arpeggio: 4 notes\n"),
        Case("note melody 3 Db", [("note.set", ["track": "melody", "step": 3, "note": 1, "velocity": "normal"])]),
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
        Case("new", [("pattern.new", [:])]),
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
        Case(
            "export --wav /tmp/a.wav --stems",
            [("export.wav", ["path": "/tmp/a.wav", "loops": 1, "stems": true])],
            "/tmp/a.wav and its stems: 96000 frames\n"),
        Case(
            "take", [("take.list", [:])],
            """
            13   2026-01-03T12:34:56Z  1:01:05          recording, not exact from 0:07
            12*  2026-01-02T12:34:56Z     3:02  groove

            """),
        Case("take list --json", [("take.list", [:])], answers["take.list"]!.text + "\n"),
        Case("take star 12", [("take.star", ["take": 12, "starred": true])]),
        Case("take star 12 --off --json", [("take.star", ["take": 12, "starred": false])], "{}\n"),
        Case("take delete 3 12", [("take.delete", ["take": 3]), ("take.delete", ["take": 12])]),
        Case("call some.method {\"a\":1}", [("some.method", ["a": 1])], "{}\n"),
        Case("call some.method a=1 b=x", [("some.method", ["a": 1, "b": "x"])], "{}\n"),
        Case(
            "call note.set track=bass step=0 note=7 velocity=accent",
            [("note.set", ["track": "bass", "step": 0, "note": 7, "velocity": "accent"])], "{}\n"),
        // A name that looks like a number is still a string.
        Case("call library.save name=12", [("library.save", ["name": "12"])], "{}\n"),
        Case("call unsubscribe topics=step,state", [("unsubscribe", ["topics": ["step", "state"]])], "{}\n"),
        Case("set colors Harmonic", [("colors.set", ["mode": "harmonic"])], "colors harmonic\n"),
        Case("set ghosts off --json", [("ghosts.set", ["on": false])], "{\"ghosts\":false}\n"),
        Case("set bpm 127.3", [("tempo.set", ["bpm": 127.3])], "bpm 127.3\n"),
    ]

    private static let state = {
        var state = InstrumentState()
        state.settings.set(.tempo, to: 126)
        state.settings.set(.scale, to: "minor")
        state.settings.set(.root, to: "D#")
        state.settings.set(.length, to: 24)
        return state.json
    }()

    private static let answers: [String: JSONValue] = [
        "transport.play": ["state": "playing", "step": 3], "transport.toggle": ["state": "playing", "step": 3],
        "transport.locate": ["state": "stopped", "step": 8], "transport.stop": ["state": "stopped", "step": 0],
        "transport.catch": ["notes": 3],
        "transport.record": ["state": "stopped", "step": 0, "record": true],
        "transport.pause": ["state": "paused", "step": 7], "tempo.set": ["bpm": 127.3], "tempo.tap": ["bpm": 127.3],
        "track.set": [
            "mute": true, "solo": false, "gain": -3.5, "pan": -1, "preset": "Acid", "velocityNormal": 64,
        ],
        "state.get": .object(state), "history.undo": ["undo": 2, "redo": 1], "history.redo": ["undo": 2, "redo": 1],
        "library.list": [
            ["name": "one", "modified": "2026-01-02T12:34:56Z", "bpm": 120, "scale": "major", "length": 16]
        ],
        "take.list": .object(
            TakeList(takes: [
                ListedTake(
                    number: 13, began: "2026-01-03T12:34:56Z", seconds: 3665.4, inexactFrom: 7.2, isCurrent: true),
                .example,
            ]).json),
        "export.wav": ["path": "/tmp/a.wav", "frames": 96000], "punch.set": ["held": true],
    ]

    static func answer(_ call: Request) -> Result<JSONValue, WireError> {
        if case .byName(let parameters) = call.parameters, parameters["phase"] == "up" {
            return .success(["gesture": "arpeggio", "notes": 4, "frame": .null])
        }
        return .success(answers[call.method] ?? [:])
    }

    @Test(arguments: ["save", "load", "rename", "delete"])
    func `shells complete the names in the library`(command: String) async throws {
        let daemon = try await CannedDaemon.start()
        try await daemon.serving(Self.answer) { log in
            // What the shells' completion scripts call, with the words so far.
            let arguments = ["---completion", command, "--", "positional@0", "2", "0", "pixelboop", command, ""]
            let outcome = try await Program.run(arguments, socket: daemon.path)
            #expect(outcome.status == 0 && outcome.output == "one\n")
            #expect(log.all.map(\.method) == ["library.list"])
        }
        let outcome = try await Program.run(
            ["---completion", "load", "--", "positional@0", "2", "0", "pixelboop", "load", ""], socket: "/nowhere")
        #expect(outcome.status == 0 && outcome.complaint.isEmpty)
    }

    @Test(arguments: [["--socket", "PATH"], ["--socket=PATH"], ["--socket", "=", "PATH"]])
    func `shells complete from the daemon that the command names`(option: [String]) async throws {
        let daemon = try await CannedDaemon.start()
        try await daemon.serving(Self.answer) { log in
            let words = ["pixelboop", "load"] + option.map { $0.replacing("PATH", with: daemon.path) } + [""]
            let arguments = ["---completion", "load", "--", "positional@0", "\(words.count - 1)", "0"] + words
            let outcome = try await Program.run(arguments, socket: "/nowhere")
            #expect(outcome.status == 0 && outcome.output == "one\n")
            #expect(log.all.map(\.method) == ["library.list"])
        }
    }

    @Test(arguments: cases)
    func `each command makes its calls and prints their results`(_ test: Case) async throws {
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
