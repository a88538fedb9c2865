import ControlTestSupport
import JSON
import NIOCore
import Testing
import Wire

/// What the protocol limits, beside lines and unread answers (``ConnectionTests``) and clients (``GreetingTests``).
@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    @Test(arguments: Reach.allCases)
    func `a rate outside 1 to 240 is refused, and subscribes to nothing`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            for rate: JSONValue in [0, 241, -1, 1e300, 59.5, "60"] {
                let error = try await client.refusal("subscribe", ["topics": ["frame"], "maxFps": rate])
                #expect(error?.code == .invalidParams)
                #expect(error?.message.hasPrefix("maxFps: expected an integer from 1 to 240, got ") == true)
            }
            try await client.call("scale.set", ["scale": "minor"])
            try await client.expectNoNotification()
            for rate: JSONValue in [1, 240, 60.0] {
                #expect(try await client.refusal("subscribe", ["topics": ["frame"], "maxFps": rate]) == nil)
            }
        }
    }

    @Test(arguments: Reach.allCases)
    func `a topic that there is not is refused, with those beside it`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            let wrong: [JSONValue] = [["frame", "frames"], ["state", 1], "frame", [.null]]
            for topics in wrong {
                let error = try await client.refusal("subscribe", ["topics": topics])
                #expect(error?.code == .invalidParams)
                #expect(error?.message.hasPrefix("topics") == true)
            }
            try await client.call("scale.set", ["scale": "minor"])
            try await client.expectNoNotification()
            #expect(try await client.call("subscribe", ["topics": []]) == [:])
        }
    }

    @Test(arguments: Reach.allCases)
    func `a batch that fills the longest line is answered, all of it in one line`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            let call = #"{"jsonrpc":"2.0","method":"ping","id":1}"#
            let count = (ControlProtocol.maximumLineLength - 1) / (call.utf8.count + 1)
            try await client.send("[" + Array(repeating: call, count: count).joined(separator: ",") + "]")
            let answers = try #require(try await client.json().arrayValue)
            #expect(answers.count == count)
            #expect(answers.allSatisfy { $0 == ["jsonrpc": "2.0", "result": [:], "id": 1] })
        }
    }

    @Test func `a name of more than 100 characters is refused`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            let longest = String(repeating: "é", count: 100)
            #expect(try await client.refusal("hello", ["client": .string(longest)]) == nil)
            #expect(try await client.refusal("hello", ["client": .string(longest + "é")])?.code == .invalidParams)
        }
    }

    @Test func `tooltips are dropped, not queued, while a client does not read`() async throws {
        try await TestServer.with { server in
            let toucher = try await server.client()
            let socket = try await server.socket()
            let deaf = TestClient(over: socket)
            _ = try await deaf.notification()
            try await deaf.call("subscribe", ["topics": ["tooltip"]])
            try await socket.setReading(false)
            let taps = 800
            for tap in 0..<taps {
                // Another row each time, and so a tooltip each time.
                for phase in ["down", "up"] { try await toucher.touch(phase, 4 + tap % 8, 2 + tap % 5) }
            }
            try await toucher.call("ping")
            try await socket.setReading(true)
            try await deaf.call("ping")
            let heard = deaf.pendingNotifications.count
            #expect(heard > 0)
            #expect(heard < taps / 2)
        }
    }
}
