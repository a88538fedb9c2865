import ControlTestSupport
import Instrument
import JSON
import Music
import PatternFormat
import TestSupport
import Testing
import Wire

@Suite struct SlotMethodTests {
    private func slots(_ client: TestClient) async throws -> JSONValue? {
        try await client.call("state.get").objectValue?["slots"]
    }

    @Test(arguments: Reach.allCases)
    func `slots are launched, copied and cleared, and shown by state.get`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            let empty: JSONValue = ["playing": 1, "chain": [], "filled": []]
            try await client.call("note.set", ["track": "bass", "step": 0, "note": 7, "velocity": "accent"])
            try await client.call("slot.launch", ["track": "bass", "slot": 3])
            #expect(try PatternFormat.decode(try await client.call("pattern.get")).cells.isEmpty)
            try await client.call("slot.copy", ["track": "bass", "from": 1, "to": 3])
            #expect(
                try await slots(client) == [
                    "melody": empty, "chords": empty, "bass": ["playing": 3, "chain": [], "filled": [1, 3]],
                    "rhythm": empty,
                ])
            try await client.call("slot.clear", ["track": "bass", "slot": 1])
            try await client.call("scene.copy", ["from": 3, "to": 8])
            try await client.call("scene.launch", ["scene": 8])
            let other: JSONValue = ["playing": 8, "chain": [], "filled": []]
            #expect(
                try await slots(client) == [
                    "melody": other, "chords": other, "bass": ["playing": 8, "chain": [], "filled": [3, 8]],
                    "rhythm": other,
                ])
            #expect(
                try await client.call("history.undo") == ["undo": 3, "redo": 1, "what": "the notes of Bass"])
            let bass = try await slots(client)?.objectValue?["bass"]
            #expect(bass == ["playing": 8, "chain": [], "filled": [3]])
        }
    }

    @Test func `a new pattern empties all slots and resets the mixer, and one undo restores everything`() async throws {
        try await TestServer.with(.direct, document: .ofNewInstrument) { server in
            let client = try await server.client()
            let before = try await client.call("state.get").objectValue
            try await client.call("note.set", ["track": "bass", "step": 0, "note": 7, "velocity": "accent"])
            try await client.call("scene.copy", ["from": 1, "to": 8])
            try await client.call("track.set", ["track": "bass", "gain": -6, "solo": true, "preset": "Acid"])
            try await client.call("tempo.set", ["bpm": 93])
            let used = try await client.call("state.get").objectValue
            let pattern = try await client.call("pattern.get")
            try await client.call("pattern.new")
            let new = try await client.call("state.get").objectValue
            for name in ["slots", "tracks", "bpm", "pattern"] { #expect(new?[name] == before?[name]) }
            // The note, the copy, gain, preset, and the new pattern.
            #expect(new?["history"] == ["undo": 5, "redo": 0])
            try await client.call("history.undo")
            let undone = try await client.call("state.get").objectValue
            for name in ["slots", "tracks", "bpm", "pattern"] { #expect(undone?[name] == used?[name]) }
            #expect(try await client.call("pattern.get") == pattern)
        }
    }

    @Test(arguments: [(3, [1, 3]), (-1, [5, 7]), (-31, [1, 7]), (9, [7, 1])])
    func `a slot's notes rotate within the length, and hidden ones stay`(steps: Int, expected: [Int]) async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            try await client.call("length.set", ["length": 8])
            var notes = SlotNotes()
            for step in [6, 0, 20] { notes[step][7] = .accent }
            var pattern = Pattern()
            pattern.length = 8
            pattern[Slot(.bass, 2)] = notes
            try await client.call("pattern.set", ["pattern": PatternFormat.encode(pattern)])
            try await client.call("slot.rotate", ["track": "bass", "steps": .integer(steps), "slot": 3])
            try await client.call("slot.launch", ["track": "bass", "slot": 3])
            try await client.call("slot.rotate", ["track": "bass", "steps": 0])
            let rotated = try PatternFormat.decode(try await client.call("pattern.get")).cells
            #expect((0..<32).filter { rotated[.bass, 7, $0] == .accent } == (expected + [20]).sorted())
            #expect(rotated.count == 3)
            try await client.call("history.undo")
            try await client.call("slot.launch", ["track": "bass", "slot": 3])
            let restored = try PatternFormat.decode(try await client.call("pattern.get")).cells
            #expect(restored[.bass] == notes)
        }
    }

    @Test(arguments: Reach.allCases)
    func `a pattern with slots comes back as set`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            var pattern = Pattern()
            pattern[.melody, 4, 0] = .accent
            pattern.playing.play(Slot(.melody, 6))
            pattern[.melody, 7, 0] = .accent
            try await client.call("pattern.set", ["pattern": PatternFormat.encode(pattern)])
            #expect(try PatternFormat.decode(try await client.call("pattern.get")) == pattern)
            try await client.call("history.undo")
            #expect(try PatternFormat.decode(try await client.call("pattern.get")) == Pattern())
        }
    }

    @Test(arguments: Reach.allCases)
    func `queued and chained slots appear in the state, and disappear when cancelled`(reach: Reach) async throws {
        try await TestServer.with(reach, hasAudio: true) { server in
            let client = try await server.client()
            try await client.call("launch.set", ["quantum": "bar"])
            try await client.call("transport.play")
            try await client.call("scene.chain", ["scenes": [2, 3, 2]])
            var state = try await client.call("state.get").objectValue
            #expect(state?["launch"] == ["quantum": "bar"])
            #expect(state?["scenes"] == ["queued": 2, "chain": [2, 3, 2]])
            #expect(
                state?["slots"]?.objectValue?["bass"]
                    == ["playing": 1, "queued": 2, "chain": [2, 3, 2], "filled": []])
            try await client.call("slot.launch", ["track": "bass", "slot": 5, "when": "now"])
            state = try await client.call("state.get").objectValue
            #expect(state?["scenes"] == ["chain": []])
            #expect(state?["slots"]?.objectValue?["bass"] == ["playing": 1, "queued": 5, "chain": [], "filled": []])
            try await client.call("slot.cancel", ["track": "melody"])
            state = try await client.call("state.get").objectValue
            #expect(state?["slots"]?.objectValue?["melody"] == ["playing": 1, "chain": [], "filled": []])
            try await client.call("slot.cancel")
            #expect(
                try await slots(client)
                    == .object(
                        JSONObject(
                            Track.allCases.map {
                                .init(name: $0.name, value: ["playing": 1, "chain": [], "filled": []])
                            })))
        }
    }

    @Test(arguments: Reach.allCases)
    func `subscribers get launches, but not of slots that already play`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            try await client.call("subscribe", ["topics": ["launch"]])
            try await client.call("slot.launch", ["track": "bass", "slot": 1])
            try await client.call("slot.chain", ["track": "rhythm", "slots": [4, 4]])
            let launch = try await client.notification().message(as: LaunchEvent.self)
            #expect(launch == LaunchEvent(track: .rhythm, slot: 4, frame: nil, usecs: nil))
            try await client.call("ping")
            #expect(client.pendingNotifications.isEmpty)
        }
    }

    @Test func `a note can be set in any slot`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let note: JSONObject = ["track": "melody", "step": 0, "note": 7, "velocity": "accent", "slot": 4]
            try await client.call("note.set", note)
            #expect(
                try await slots(client)?.objectValue?["melody"] == ["playing": 1, "chain": [], "filled": [4]])
        }
    }

    @Test func `only the playing notes of a saved pattern are loaded into a scene`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            try await client.call("note.set", ["track": "bass", "step": 0, "note": 7, "velocity": "accent"])
            try await client.call("slot.copy", ["track": "bass", "from": 1, "to": 2])
            try await client.call("tempo.set", ["bpm": 99])
            try await client.call("library.save", ["name": "verse"])
            try await client.call("pattern.set", ["pattern": ["tracks": [:]]])
            try await client.call("library.load", ["name": "verse", "scene": 6])
            let pattern = try PatternFormat.decode(try await client.call("pattern.get"))
            #expect(pattern.bpm == Pattern().bpm && pattern.cells.isEmpty)
            #expect(
                SlotBank.all.flatMap { bank in (0..<Slot.count).flatMap(bank.slots) }.filter(pattern.isFilled)
                    == [Slot(.bass, 5), Slot(.bass, 5)])
        }
    }

    @Test(arguments: [0, 17])
    func `chains that are empty or too long are refused, and nothing is chained`(count: Int) async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let before = try await client.call("state.get")
            let list = JSONValue.array(Array(repeating: 1, count: count))
            #expect(
                try await client.refusal("scene.chain", ["scenes": list])?.message
                    == "scenes: expected an array of 1 to 16 elements, got an array of \(count)")
            #expect(
                try await client.refusal("slot.chain", ["track": "bass", "slots": list])?.message
                    == "slots: expected an array of 1 to 16 elements, got an array of \(count)")
            #expect(try await client.call("state.get") == before)
        }
    }

    @Test func `an export of more loops of scenes than fit is refused`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let scenes = JSONValue.array(Array(repeating: 1, count: 17))
            #expect(
                try await client.refusal("export.midi", ["scenes": scenes, "loops": 100])?.message
                    == "scenes: expected at most 1000 loops in all, got 1700")
        }
    }

    @Test func `an export of the chain plays every track's once, shorter ones and what plays again and again`()
        async throws
    {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            #expect(
                try await client.refusal("export.midi", ["chain": true])?.message
                    == "chain: there is no chain on any track")
            try await client.call("slot.launch", ["track": "chords", "slot": 5])
            try await client.call("slot.chain", ["track": "bass", "slots": [2, 1, 3]])
            try await client.call("slot.chain", ["track": "melody", "slots": [4, 1]])
            try await client.call("export.midi", ["chain": true])
            let turns = await server.services.exportedTurns
            #expect(
                turns.map { $0.all.map(\.number) } == [[4, 5, 2, 1], [1, 5, 1, 1], [4, 5, 3, 1]])
            try await client.call("export.midi", ["scenes": [2, 7]])
            #expect(await server.services.exportedTurns == [PlayingSlots(scene: 1), PlayingSlots(scene: 6)])
            #expect(
                try await client.refusal("export.midi", ["chain": true, "scenes": [1]])?.message
                    == "chain: expected either scenes or the chain, got both")
        }
    }

    @Test func `a slot or scene that does not exist is refused`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            #expect(
                try await client.refusal("slot.launch", ["track": "bass", "slot": 0])?.message
                    == "slot: expected an integer from 1 to 8, got 0")
            #expect(
                try await client.refusal("scene.copy", ["from": 1, "to": 9])?.message
                    == "to: expected an integer from 1 to 8, got 9")
        }
    }

    /// The properties of the bass's slots.
    private func besides(_ client: TestClient) async throws -> JSONValue? {
        try await slots(client)?.objectValue?["bass"]?.objectValue?["slots"]
    }

    @Test func `slots get a length and a speed, an undo step each, and lose them with their notes`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            try await client.call("slot.set", ["track": "bass", "length": 12])
            try await client.call("slot.set", ["track": "bass", "slot": 5, "speed": "3/2"])
            #expect(try await besides(client) == ["1": ["length": 12], "5": ["speed": "3/2"]])
            let pattern = try await client.call("pattern.get").objectValue
            #expect(pattern?["tracks"]?.objectValue?["bass"]?.objectValue?["length"] == 12)
            try await client.call("slot.set", ["track": "bass", "length": 0, "speed": "2"])
            #expect(try await besides(client) == ["1": ["speed": "2"], "5": ["speed": "3/2"]])
            try await client.call("slot.clear", ["track": "bass", "slot": 5])
            #expect(try await besides(client) == ["1": ["speed": "2"]])
            #expect(
                try await client.call("history.undo") == ["undo": 3, "redo": 1, "what": "the speed of Bass"])
            #expect(try await besides(client) == ["1": ["speed": "2"], "5": ["speed": "3/2"]])
        }
    }
}
