import ControlTestSupport
import JSON
import TestSupport
import Testing
import Wire

/// Motions of parameters over the socket.
@Suite struct MotionMethodTests {
    private func set(
        _ client: TestClient, _ parameter: String, _ step: Int, _ value: Double?, slot: Int? = nil
    ) async throws {
        var parameters: JSONObject = ["track": "bass", "parameter": .string(parameter), "step": .integer(step)]
        parameters["value"] = value.map { .number($0) }
        parameters["slot"] = slot.map { .integer($0) }
        try await client.call("motion.set", parameters)
    }

    private func slots(_ client: TestClient) async throws -> JSONObject? {
        try await client.call("state.get").objectValue?["slots"]?.objectValue?["bass"]?.objectValue?["slots"]?
            .objectValue
    }

    @Test(arguments: Reach.allCases)
    func `points are set, removed and cleared, in the playing slot and in others, an undo step each`(reach: Reach)
        async throws
    {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            #expect(try await client.call("motion.get", ["track": "bass"]) == [:])
            try await set(client, "tone", 16, 12)
            try await set(client, "tone", 0, -12.5)
            try await set(client, "pan", 3, 1, slot: 5)
            #expect(try await client.call("motion.get", ["track": "bass"]) == ["tone": [[0, -12.5], [16, 12]]])
            #expect(try await client.call("motion.get", ["track": "bass", "slot": 5]) == ["pan": [[3, 1]]])
            try await set(client, "tone", 16, nil)
            #expect(try await client.call("motion.get", ["track": "bass", "slot": 1]) == ["tone": [[0, -12.5]]])
            try await set(client, "gain", 1, -6)
            try await client.call("motion.clear", ["track": "bass", "parameter": "tone"])
            #expect(try await client.call("motion.get", ["track": "bass"]) == ["gain": [[1, -6]]])
            try await client.call("motion.clear", ["track": "bass", "slot": 5])
            #expect(try await client.call("motion.get", ["track": "bass", "slot": 5]) == [:])
            #expect(
                try await client.call("history.undo") == ["undo": 6, "redo": 1, "what": "the motions of Bass"])
            #expect(try await client.call("motion.get", ["track": "bass", "slot": 5]) == ["pan": [[3, 1]]])
        }
    }

    @Test func `the state names what moves in each slot, with a revision that changes with the points`()
        async throws
    {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            #expect(try await slots(client) == nil)
            try await set(client, "tone", 16, 12)
            try await set(client, "gain", 3, 1, slot: 5)
            let first = try await slots(client)
            #expect(first?.members.map(\.name) == ["1", "5"])
            let motions = first?["5"]?.objectValue?["motions"]?.objectValue
            #expect(motions?["parameters"] == ["gain"])
            try await set(client, "gain", 3, 2, slot: 5)
            let second = try await slots(client)
            #expect(second?["1"] == first?["1"] && second?["5"] != first?["5"])
            try await client.call("history.undo")
            #expect(try await slots(client) == first)
            try await client.call("slot.clear", ["track": "bass", "slot": 5])
            #expect(try await slots(client)?.members.map(\.name) == ["1"])
        }
    }

    @Test(arguments: [
        (#"{"track": "bass", "parameter": "duck", "step": 0, "value": 0}"#, "parameter"),
        (#"{"track": "bass", "parameter": "tone", "step": 32, "value": 0}"#, "step"),
        (#"{"track": "bass", "parameter": "tone", "step": 0, "value": 24.1}"#, "value"),
        (#"{"track": "bass", "parameter": "gain", "step": 0, "value": -61}"#, "value"),
        (#"{"track": "bass", "parameter": "gain", "step": 0, "value": "loud"}"#, "value"),
        (#"{"track": "bass", "parameter": "gain", "step": 0, "value": 0, "slot": 9}"#, "slot"),
    ]) func `an invalid argument is refused by name, and nothing changes`(text: String, name: String) async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let error = try await client.refusal("motion.set", try #require(JSONValue(parsing: text).objectValue))
            #expect(error?.code == .invalidParams)
            #expect(error?.data?.objectValue?["parameter"] == .string(name))
            #expect(try await client.call("state.get").objectValue?["history"] == ["undo": 0, "redo": 0])
        }
    }
}
