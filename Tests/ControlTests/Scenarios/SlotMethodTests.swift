import ControlTestSupport
import JSON
import Music
import PatternFormat
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
            let empty: JSONValue = ["playing": 1, "filled": []]
            try await client.call("note.set", ["track": "bass", "step": 0, "note": 7, "velocity": "accent"])
            try await client.call("slot.launch", ["track": "bass", "slot": 3])
            #expect(try PatternFormat.decode(try await client.call("pattern.get")).cells.isEmpty)
            try await client.call("slot.copy", ["track": "bass", "from": 1, "to": 3])
            #expect(
                try await slots(client) == [
                    "melody": empty, "chords": empty, "bass": ["playing": 3, "filled": [1, 3]], "rhythm": empty,
                ])
            try await client.call("slot.clear", ["track": "bass", "slot": 1])
            try await client.call("scene.copy", ["from": 3, "to": 8])
            try await client.call("scene.launch", ["scene": 8])
            let other: JSONValue = ["playing": 8, "filled": []]
            #expect(
                try await slots(client) == [
                    "melody": other, "chords": other, "bass": ["playing": 8, "filled": [3, 8]], "rhythm": other,
                ])
            #expect(try await client.call("history.undo") == ["undo": 3, "redo": 1])
            let bass = try await slots(client)?.objectValue?["bass"]
            #expect(bass == ["playing": 8, "filled": [3]])
        }
    }

    @Test(arguments: Reach.allCases)
    func `a pattern with slots comes back as it was set`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            var pattern = Pattern()
            pattern.cells[.melody, 4, 0] = .accent
            pattern.launch(Slot(.melody, 6))
            pattern.cells[.melody, 7, 0] = .accent
            try await client.call("pattern.set", ["pattern": PatternFormat.encode(pattern)])
            #expect(try PatternFormat.decode(try await client.call("pattern.get")) == pattern)
            try await client.call("history.undo")
            #expect(try PatternFormat.decode(try await client.call("pattern.get")) == Pattern())
        }
    }

    @Test func `a slot or scene that there is not is refused`() async throws {
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
}
