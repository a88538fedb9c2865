import Control
import ControlTestSupport
import Instrument
import JSON
import Music
import PatternFormat
import TestSupport
import Testing
import Wire

@Suite(.timeLimit(.minutes(1)))
struct MethodTests {
    @Test(arguments: Reach.allCases)
    func `settings are applied, and shown by state.get`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            #expect(try await client.call("tempo.set", ["bpm": 127.314]) == ["bpm": 127.31])
            #expect(try await client.call("scale.set", ["scale": "penta"]) == [:])
            #expect(try await client.call("root.set", ["root": "F#"]) == [:])
            #expect(try await client.call("length.set", ["length": 16.0]) == [:])
            #expect(try await client.call("swing.set", ["swing": 0.6]) == [:])
            #expect(try await client.call("colors.set", ["mode": "harmonic"]) == [:])
            #expect(try await client.call("ghosts.set", ["on": false]) == [:])
            // Merging in the expected values changes nothing; there may be more.
            var track = try await client.call("track.set", ["track": "bass", "mute": true, "gain": -6, "pan": -0.5])
            #expect(track.applying(["mute": true, "solo": false, "gain": -6, "pan": -0.5]) == track)
            track = try await client.call("track.set", ["track": "bass", "solo": true])
            #expect(track.applying(["mute": true, "solo": true, "gain": -6, "pan": -0.5]) == track)
            var expected = InstrumentState()
            expected.bpm = 127.31
            expected.sync.bpm = 127.31
            expected.scale = .penta
            expected.root = PitchClass(6)
            expected.settings.set(.length, to: 16)
            expected.settings.set(.swing, to: 0.6)
            expected.settings.set(.colors, to: "harmonic")
            expected.settings.set(.ghosts, to: false)
            expected[.bass] = TrackState([.mute: true, .solo: true, .gain: -6, .pan: -0.5])
            // Gain and pan.
            expected.history = HistoryCounts(undo: 2, redo: 0)
            #expect(try InstrumentState(json: try await client.call("state.get")) == expected)
        }
    }

    @Test(arguments: Reach.allCases)
    func `without a JACK server nothing plays, but the rest of the transport works`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            #expect(try await client.refusal("transport.play")?.code == .noAudio)
            #expect(try await client.refusal("transport.toggle")?.code == .noAudio)
            #expect(
                try await client.call("transport.locate", ["step": 7]) == [
                    "state": "stopped", "step": 7, "record": false,
                ])
            #expect(try await client.call("transport.pause") == ["state": "stopped", "step": 7, "record": false])
            #expect(try await client.call("transport.stop") == ["state": "stopped", "step": 0, "record": false])
            #expect(
                try await client.refusal("transport.locate", ["step": 32])?.message
                    == "step: expected an integer from 0 to 31, got 32")
            try await client.call("length.set", ["length": 8])
            #expect(
                try await client.refusal("transport.locate", ["step": 8])?.message
                    == "step: expected a step below the length of 8, got 8")
        }
    }

    @Test(arguments: Reach.allCases)
    func `with a JACK server the transport plays, pauses and stops`(reach: Reach) async throws {
        try await TestServer.with(reach, hasAudio: true) { server in
            let client = try await server.client()
            #expect(try await client.call("transport.play").objectValue?["state"] == "playing")
            #expect(try await client.call("transport.pause").objectValue?["state"] == "paused")
            #expect(try await client.call("transport.toggle").objectValue?["state"] == "playing")
            #expect(try await client.call("transport.toggle").objectValue?["state"] == "stopped")
            #expect(
                try await client.call("state.get").objectValue?["audio"]
                    == ["driver": "jack", "status": "running", "reason": "", "rate": 48_000, "period": 64])
        }
    }

    @Test(arguments: Reach.allCases)
    func `note values are set with their notes, or changed separately`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            try await client.call(
                "note.set", ["track": "bass", "step": 3, "note": 0, "velocity": "accent", "level": -6])
            try await client.call("note.set", ["track": "bass", "step": 3, "note": 7, "velocity": "normal"])
            func notes() async throws -> SlotNotes {
                try PatternFormat.decode(try await client.call("pattern.get"))[.bass]
            }
            #expect(try await notes()[3][whole: 0] == Note(.accent, [.level: -6]))
            try await client.call("note.adjust", ["track": "bass", "step": 3, "level": -12])
            #expect(try await notes()[3][whole: 0] == Note(.accent, [.level: -12]))
            #expect(try await notes()[3][whole: 7] == Note(.normal, [.level: -12]))
            try await client.call("note.adjust", ["track": "bass", "step": 3, "note": 7, "level": 0])
            #expect(try await notes()[3][whole: 7] == Note(.normal))
            // If no note starts, or no value is given, nothing changes.
            try await client.call("note.adjust", ["track": "bass", "step": 4, "level": -3])
            try await client.call("note.adjust", ["track": "bass", "step": 3])
            #expect(
                try await client.call("history.undo") == ["undo": 3, "redo": 1, "what": "the notes of Bass"])
            #expect(try await notes()[3][whole: 7] == Note(.normal, [.level: -12]))
            #expect(
                try await client.refusal("note.adjust", ["track": "bass", "step": 3, "level": 1])?.message
                    == "level: expected an integer from -24 to 0, got 1")
            // Setting a note again resets its values to defaults.
            try await client.call("note.set", ["track": "bass", "step": 3, "note": 0, "velocity": "accent"])
            #expect(try await notes()[3][whole: 0] == Note(.accent))
        }
    }

    @Test(arguments: Reach.allCases)
    func `the dice get a given seed, or the next one, and neither is in the history`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            #expect(try await client.call("dice.roll") == ["seed": 5_103_132_997_656_651])
            try await client.call("dice.set", ["seed": 2])
            #expect(try await client.call("dice.roll") == ["seed": 5_324_963_733_279_466])
            let pattern = try await client.call("pattern.get").objectValue
            #expect(pattern?["dice"] == ["seed": 5_324_963_733_279_466])
            #expect(try await client.call("history.undo") == ["undo": 0, "redo": 0])
        }
    }

    @Test(arguments: Reach.allCases)
    func `notes are set, undone and redone`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            try await client.call("note.set", ["track": "melody", "step": 0, "note": 4, "velocity": "accent"])
            try await client.call("note.set", ["track": "rhythm", "step": 31, "note": 11, "velocity": "normal"])
            #expect(
                try await client.refusal(
                    "note.set", ["track": "chords", "step": 0, "note": 1, "velocity": "normal"])?.message
                    == "note: expected a note of the scale on chords, got 1")
            var pattern = Pattern()
            pattern[.melody, 4, 0] = .accent
            pattern[.rhythm, 11, 31] = .normal
            #expect(try PatternFormat.decode(try await client.call("pattern.get")).cells == pattern.cells)
            #expect(
                try await client.call("history.undo") == ["undo": 1, "redo": 1, "what": "the notes of Rhythm"])
            #expect(
                try await client.call("history.undo") == ["undo": 0, "redo": 2, "what": "the notes of Melody"])
            #expect(try await client.call("history.undo") == ["undo": 0, "redo": 2])
            #expect(
                try await client.call("history.redo") == ["undo": 1, "redo": 1, "what": "the notes of Melody"])
            #expect(try await client.call("pattern.clear") == [:])
            #expect(try PatternFormat.decode(try await client.call("pattern.get")).cells.isEmpty)
        }
    }

    @Test(arguments: Reach.allCases)
    func `a pattern comes back as set; an invalid one is refused with the place`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            var pattern = Pattern()
            pattern.name = "Grüße"
            pattern.length = 12
            pattern[.bass, 7, 3] = .normal
            pattern[.bass, 7, 4] = .sustain
            try await client.call("pattern.set", ["pattern": PatternFormat.encode(pattern)])
            #expect(try PatternFormat.decode(try await client.call("pattern.get")) == pattern)
            let wrong: JSONValue = [
                "tracks": ["melody": ["notes": [["col": 12, "pitch": 60, "velocity": "normal"]]]]
            ]
            let error = try await client.refusal("pattern.set", ["pattern": wrong])
            #expect(error?.message == "tracks.melody.notes[0].col: 12 is a bar separator")
            #expect(error?.code == .invalidParams)
            #expect(error?.data?.objectValue?["place"] == "tracks.melody.notes[0].col")
            #expect(try PatternFormat.decode(try await client.call("pattern.get")) == pattern)
        }
    }

    @Test(arguments: Reach.allCases)
    func `the library saves, lists, loads, renames and deletes`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            try await client.call("tempo.set", ["bpm": 99])
            #expect(try await client.call("library.save", ["name": "Groove nº 1"]) == [:])
            #expect(try await client.call("state.get").objectValue?["pattern"] == ["name": "Groove nº 1"])
            #expect(
                try await client.call("library.list") == [
                    [
                        "name": "Groove nº 1", "modified": "2026-01-02T12:34:56Z", "bpm": 99, "scale": "major",
                        "length": 32,
                    ]
                ])
            try await client.call("tempo.set", ["bpm": 180])
            #expect(try await client.call("library.rename", ["name": "Groove nº 1", "to": "b"]) == [:])
            #expect(try await client.call("library.load", ["name": "b"]) == [:])
            #expect(try await client.call("state.get").objectValue?["bpm"] == 99)
            #expect(try await client.call("library.delete", ["name": "b"]) == [:])
            #expect(try await client.refusal("library.load", ["name": "b"])?.code == .notFound)
            #expect(try await client.refusal("library.save", ["name": "full"])?.code == .storage)
        }
    }

    @Test func `a load of what was just saved is no undo step, and leaves the redo side`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            for step in 0..<3 {
                try await client.call(
                    "note.set", ["track": "bass", "step": .integer(step), "note": 0, "velocity": "normal"])
            }
            for _ in 0..<2 { try await client.call("history.undo") }
            try await client.call("library.save", ["name": "A"])
            try await client.call("library.load", ["name": "A"])
            #expect(try await client.call("state.get").objectValue?["history"] == ["undo": 1, "redo": 2])
        }
    }

    @Test func `a flush waits for the disk, and reports failure`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            #expect(try await client.call("storage.flush") == [:])
            await server.services.fillDisk()
            #expect(try await client.refusal("storage.flush")?.code == .storage)
        }
    }

    @Test(arguments: ["", ".hidden", "a/b", "..", "tab\there", "nul\u{0}", String(repeating: "x", count: 65)])
    func `a name that is not a valid file name is refused`(name: String) async throws {
        try await TestServer.with(.direct) { server in
            let error = try await server.client().refusal("library.save", ["name": .string(name)])
            #expect(error?.code == .invalidParams)
            #expect(error?.data?.objectValue?["parameter"] == "name")
        }
    }

    @Test(arguments: Reach.allCases)
    func `exports go to absolute paths, MIDI also to the answer`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            #expect(try await client.call("export.midi") == ["data": "TVRoZA==", "frames": 48_000])
            #expect(
                try await client.call("export.midi", ["path": "/tmp/a.mid", "loops": 2, "rate": 44_100])
                    == ["path": "/tmp/a.mid", "frames": 88_200])
            #expect(
                try await client.call("export.wav", ["path": "/tmp/a.wav"]) == ["path": "/tmp/a.wav", "frames": 48_000])
            #expect(
                try await client.refusal("export.wav", ["path": "a.wav"])?.message
                    == #"path: expected an absolute path, got "a.wav""#)
            #expect(try await client.call("export.wav") == ["render": 1])
        }
    }

    @Test(arguments: Reach.allCases)
    func `stats.get describes the daemon and each client`(reach: Reach) async throws {
        try await TestServer.with(reach, hasAudio: true) { server in
            let client = try await server.client()
            _ = try await server.client()
            let statistics = try Statistics(json: try await client.call("stats.get"))
            #expect(statistics.uptime == 12.5)
            #expect(statistics.memory == 1_000_000)
            #expect(
                statistics.audio
                    == AudioStatistics(
                        state: AudioState(status: .running, rate: 48_000, period: 64), xruns: 3, load: 0.02, worst: 41))
            #expect(statistics.clients.map(\.id) == [1, 2])
        }
    }

    @Test(arguments: Reach.allCases)
    func `rpc.discover returns the document`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let document = try await server.client().call("rpc.discover")
            #expect(document == OpenRPC.document)
        }
    }
}
