import ControlTestSupport
import Engine
import JSON
import OfflineAudio
import TestSupport
import Testing
import Wire

/// Listening over the protocol.
@Suite(.timeLimit(.minutes(1)))
struct AudioTopicTests {
    private func nextBlock(of client: TestClient) async throws -> AudioEvent {
        try await client.next()
    }

    @Test(arguments: Reach.allCases)
    func `audio needs a connection of its own`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (listener, watcher) = (try await server.client(), try await server.client())
            func refusal(_ client: TestClient, _ topics: JSONValue) async throws -> String? {
                let error = try await client.refusal("subscribe", ["topics": topics])
                #expect(error == nil || error?.code == .invalidParams)
                return error?.message
            }
            let words = "topics: expected audio on a connection of its own, got audio beside other topics"
            for topics: JSONValue in [["audio", "state"], ["step", "audio", "step"]] {
                #expect(try await refusal(listener, topics) == words)
            }
            #expect(try await refusal(listener, ["audio", "audio"]) == nil)
            #expect(try await refusal(listener, ["audio"]) == nil)
            #expect(try await refusal(listener, ["frame"]) == words)
            #expect(try await refusal(listener, []) == nil)
            for topic in Topic.allCases where topic != .audio {
                try await watcher.call("subscribe", ["topics": [.string(topic.rawValue)]])
                #expect(try await refusal(watcher, ["audio"]) == words)
                try await watcher.call("unsubscribe", ["topics": [.string(topic.rawValue)]])
            }
            #expect(try await refusal(watcher, ["audio"]) == nil)
            try await watcher.call("unsubscribe", ["topics": ["audio"]])
            #expect(try await refusal(watcher, ["state"]) == nil)
        }
    }

    @Test(arguments: Reach.allCases)
    func `sixteen clients may listen, and another once one of them stops`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            var listeners: [TestClient] = []
            for _ in 0..<16 {
                listeners.append(try await server.client())
                #expect(try await listeners.last!.refusal("subscribe", ["topics": ["audio"]]) == nil)
            }
            let another = try await server.client()
            let error = try await another.refusal("subscribe", ["topics": ["audio"]])
            #expect(error == WireError(.tooManyClients, "16 clients listen already, the maximum", data: ["limit": 16]))
            try await listeners[3].call("unsubscribe", ["topics": ["audio"]])
            #expect(try await another.refusal("subscribe", ["topics": ["audio"]]) == nil)
        }
    }

    @Test(arguments: Reach.allCases)
    func `all listeners hear the same, silence has no samples, and no block comes twice`(reach: Reach)
        async throws
    {
        try await TestServer.with(reach) { server in
            let driver = try OfflineDriver(engine: server.engine, sampleRate: 48_000)
            let clients = [try await server.client(), try await server.client()]
            #expect(server.engine.nextBlock() == nil)
            for client in clients { #expect(try await client.call("subscribe", ["topics": ["audio"]]) == [:]) }
            driver.render(frames: 960) { _ in }
            for client in clients {
                #expect(try await nextBlock(of: client) == AudioEvent(frame: 0, usecs: 0, rate: 48_000, pcm: nil))
            }
            #expect(server.engine.send(.audition(track: 3, notes: 1, velocity: 2), at: 20_000))
            driver.render(frames: 1920) { _ in }
            for number in 1...2 {
                let heard = [try await nextBlock(of: clients[0]), try await nextBlock(of: clients[1])]
                #expect(heard[0] == heard[1])
                #expect(heard[0].frame == Int64(960 * number) && heard[0].usecs == UInt64(20_000 * number))
                #expect(heard[0].pcm?.count == 3840)
            }
            let statistics = try Statistics(json: try await clients[0].call("stats.get"))
            #expect(statistics.clients.map(\.audio) == [DeliveryCounts(sent: 3), DeliveryCounts(sent: 3)])
        }
    }

    @Test(arguments: Reach.allCases)
    func `nothing is copied while nobody listens`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let driver = try OfflineDriver(engine: server.engine, sampleRate: 48_000)
            let (listener, other) = (try await server.client(), try await server.client())
            try await listener.call("subscribe", ["topics": ["audio"]])
            driver.render(frames: 960) { _ in }
            _ = try await nextBlock(of: listener)
            await listener.transport.close()
            try await other.untilAlone()
            driver.render(frames: 9600) { _ in }
            #expect(server.engine.nextBlock() == nil)
            try await other.call("subscribe", ["topics": ["audio"]])
            driver.render(frames: 960) { _ in }
            #expect(try await nextBlock(of: other).frame == 10_560)
        }
    }

    @Test(arguments: Reach.allCases)
    func `a listener hears what follows the answer, even if that has to wait`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let driver = try OfflineDriver(engine: server.engine, sampleRate: 48_000)
            let (listener, other) = (try await server.client(), try await server.client())
            await server.services.holdExports()
            let calls: [(String, JSONObject)] = [
                ("export.wav", ["path": "/tmp/a.wav"]), ("subscribe", ["topics": ["audio"]]),
                ("hello", ["client": "L"]),
            ]
            for (id, (method, parameters)) in calls.enumerated() {
                let request = Request(id: .integer(id), method: method, parameters: .byName(parameters))
                try await listener.transport.send(request.line)
            }
            try await waitUntil { try Statistics(json: try await other.call("stats.get")).clients.first?.name == "L" }
            try await other.call("subscribe", ["topics": ["audio"]])
            driver.render(frames: 960) { _ in }
            _ = try await nextBlock(of: other)
            await server.services.releaseExports()
            for id in calls.indices { #expect(try await listener.json().objectValue?["id"] == .integer(id)) }
            driver.render(frames: 960) { _ in }
            #expect(try await nextBlock(of: listener).frame == 960)
        }
    }
}
