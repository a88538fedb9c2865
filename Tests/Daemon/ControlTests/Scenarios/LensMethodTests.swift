import ControlTestSupport
import JSON
import TestSupport
import Testing
import Wire

/// Lenses, dice and FILL over the socket.
@Suite struct LensMethodTests {
    private func state(_ client: TestClient, _ name: String) async throws -> JSONValue? {
        try await client.call("state.get").objectValue?[name]
    }

    @Test(arguments: Reach.allCases)
    func `a lens is opened for all clients, its values are reset, and it is closed`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (client, other) = (try await server.client(), try await server.client())
            #expect(try await state(client, "lenses") == [:])
            try await client.call("note.set", ["track": "bass", "step": 0, "note": 0, "velocity": "normal"])
            try await client.call("lens.set", ["track": "bass", "lens": "chance"])
            #expect(try await state(other, "lenses") == ["bass": "chance"])
            try await other.call("note.adjust", ["track": "bass", "step": 0, "chance": 50])
            try await client.call("lens.reset", ["track": "bass", "lens": "chance"])
            #expect(try await state(client, "history") == ["undo": 3, "redo": 0])
            try await client.call("lens.set", ["track": "bass"])
            #expect(try await state(client, "lenses") == [:])
        }
    }

    @Test func `subscribers get patches`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            try await client.call("subscribe", ["topics": ["state"]])
            try await client.call("lens.set", ["track": "melody", "lens": "nudge"])
            #expect(try await client.nextPatch() == ["lenses": ["melody": "nudge"]])
            try await client.call("fill.set", ["on": true])
            #expect(try await client.nextPatch() == ["fill": true])
            try await client.call("lens.set", ["track": "melody"])
            #expect(try await client.nextPatch() == ["lenses": ["melody": .null]])
        }
    }

    @Test func `before the first pass, freezing keeps what that pass will play, as one undo step`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            for (step, cycle) in [(0, "1:2"), (1, "2:2"), (2, "always")] {
                try await client.call(
                    "note.set",
                    [
                        "track": "bass", "step": .number(Double(step)), "note": 0, "velocity": "normal",
                        "cycle": .string(cycle),
                    ])
            }
            try await client.call("dice.freeze", ["track": "bass"])
            let tracks = try await client.call("pattern.get").objectValue?["tracks"]?.objectValue
            let notes = tracks?["bass"]?.objectValue?["notes"]?.arrayValue ?? []
            #expect(notes.compactMap { $0.objectValue?["col"]?.intValue } == [4, 6])
            #expect(notes.allSatisfy { $0.objectValue?["cycle"] == nil })
            #expect(try await state(client, "history") == ["undo": 4, "redo": 0])
        }
    }
}
