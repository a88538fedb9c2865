import ControlTestSupport
import JSON
import TestSupport
import Testing
import Wire

/// Undo and redo, and what they say.
@Suite(.timeLimit(.minutes(1))) struct HistoryMethodTests {
    @Test(arguments: Reach.allCases)
    func `an undo of a sound brings it back and says what it was, as does the redo`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            #expect(try await client.call("history.undo") == ["undo": 0, "redo": 0])
            try await client.call("motion.set", ["track": "bass", "parameter": "tone", "step": 0, "value": 3])
            try await client.call("track.set", ["track": "bass", "preset": "Acid"])
            #expect(
                try await client.call("history.undo") == ["undo": 1, "redo": 1, "what": "the preset of Bass"])
            #expect(
                try await client.call("motion.get", ["track": "bass"]) == ["tone": [[0, 3]]])
            #expect(
                try await client.call("history.redo") == ["undo": 2, "redo": 0, "what": "the preset of Bass"])
            #expect(try await client.call("history.redo") == ["undo": 2, "redo": 0])
        }
    }

    @Test func `a call that changes several parameters makes a step of each, mutes none`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            try await client.call("track.set", ["track": "bass", "gain": -3, "pan": 0.5, "mute": true])
            try await client.call("track.set", ["track": "rhythm", "mutedDrums": ["low tom", "kick"]])
            try await client.call("reverb.set", ["time": 3])
            let state = try await client.call("state.get").objectValue
            #expect(state?["history"] == ["undo": 3, "redo": 0])
            #expect(state?["tracks"]?.objectValue?["rhythm"]?.objectValue?["mutedDrums"] == ["kick", "low tom"])
            #expect(state?["tracks"]?.objectValue?["bass"]?.objectValue?["mutedDrums"] == nil)
            #expect(
                try await client.refusal("track.set", ["track": "bass", "mutedDrums": ["kick"]])?.code
                    == .invalidParams)
            #expect(
                try await client.refusal("track.set", ["track": "rhythm", "mutedDrums": ["tom"]])?.code
                    == .invalidParams)
        }
    }

    @Test func `changes by another client begin another step`() async throws {
        try await TestServer.with(.direct) { server in
            let (first, second) = (try await server.client(), try await server.client())
            for (client, gain) in [(first, -1), (first, -2), (second, -3), (second, -4), (first, -5)] {
                try await client.call("track.set", ["track": "bass", "gain": .integer(gain)])
            }
            #expect(try await first.call("state.get").objectValue?["history"] == ["undo": 3, "redo": 0])
        }
    }
}
