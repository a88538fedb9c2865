import ControlTestSupport
import JSON
import Music
import NIOCore
import TestSupport
import Testing
import Wire

@testable import Control

@Suite(.timeLimit(.minutes(1)))
struct OrderTests {
    private func ask(_ client: TestClient, _ id: Int, _ method: String, _ parameters: JSONObject = [:]) async throws {
        try await client.transport.send(
            Request(id: .integer(id), method: method, parameters: .byName(parameters)).line)
    }

    private func answers(_ client: TestClient, _ count: Int) async throws -> [RequestID] {
        var ids: [RequestID] = []
        for _ in 0..<count { ids.append(try await client.response().id) }
        return ids
    }

    @Test(arguments: Reach.allCases)
    func `answers come in the order of the requests, even if an export takes long`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (client, other) = (try await server.client(), try await server.client())
            await server.services.holdExports()
            try await ask(client, 1, "export.wav", ["path": "/tmp/a.wav"])
            try await ask(client, 2, "tempo.set", ["bpm": 200])
            try await ask(client, 3, "library.list")
            // Calls after the export take effect at once, and other clients do not wait.
            try await waitUntil { try await other.call("state.get").objectValue?["bpm"] == 200 }
            await server.services.releaseExports()
            #expect(try await answers(client, 3) == [.integer(1), .integer(2), .integer(3)])
        }
    }

    @Test(arguments: Reach.allCases)
    func `an export holds up no save, no load, and nothing that follows them`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (client, other) = (try await server.client(), try await server.client())
            await server.services.holdExports()
            try await ask(client, 1, "export.wav", ["path": "/tmp/a.wav"])
            try await ask(client, 2, "library.save", ["name": "a"])
            try await ask(client, 3, "tempo.set", ["bpm": 150])
            try await ask(client, 4, "library.load", ["name": "a"])
            try await ask(client, 5, "swing.set", ["swing": 0.6])
            try await waitUntil { try await other.call("state.get").objectValue?["swing"] == 0.6 }
            #expect(try await other.call("state.get").objectValue?["bpm"] == 120)
            await server.services.releaseExports()
            #expect(try await answers(client, 5) == (1...5).map { .integer($0) })
        }
    }

    @Test(arguments: Reach.allCases)
    func `too long a line does not cost the calls before it their answers`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            await server.services.holdExports()
            try await ask(client, 1, "export.wav", ["path": "/tmp/a.wav"])
            try await ask(client, 2, "tempo.set", ["bpm": 200])
            let line = [UInt8](repeating: UInt8(ascii: "x"), count: ControlProtocol.maximumLineLength + 1)
            try await client.transport.send(line + [10])
            await server.services.releaseExports()
            #expect(try await answers(client, 2) == [.integer(1), .integer(2)])
            let refusal = try await client.json().objectValue
            #expect(refusal?["id"] == .null && refusal?["error"]?.objectValue?["code"] == -32600)
            #expect(await client.hasEnded())
        }
    }

    @Test(arguments: Reach.allCases)
    func `calls after a load take effect after it`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            try await client.call("tempo.set", ["bpm": 99])
            try await client.call("library.save", ["name": "slow"])
            for round in 0..<20 {
                try await ask(client, 3 * round, "tempo.set", ["bpm": 150])
                try await ask(client, 3 * round + 1, "library.load", ["name": "slow"])
                try await ask(client, 3 * round + 2, "swing.set", ["swing": 0.6])
                #expect(try await answers(client, 3) == (0..<3).map { .integer(3 * round + $0) })
                let state = try await client.call("state.get").objectValue
                #expect(state?["bpm"] == 99)
                #expect(state?["swing"] == 0.6)
            }
        }
    }

    @Test(arguments: Reach.allCases)
    func `a save and its load work in one batch`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            try await client.send(
                """
                [{"jsonrpc":"2.0","method":"tempo.set","params":{"bpm":77},"id":1},\
                {"jsonrpc":"2.0","method":"library.save","params":{"name":"a"},"id":2},\
                {"jsonrpc":"2.0","method":"tempo.set","params":{"bpm":88},"id":3},\
                {"jsonrpc":"2.0","method":"library.load","params":{"name":"a"},"id":4},\
                {"jsonrpc":"2.0","method":"state.get","id":5}]
                """)
            let answers = try await client.json().arrayValue ?? []
            #expect(answers.map { $0.objectValue?["id"] } == [1, 2, 3, 4, 5])
            #expect(answers.last?.objectValue?["result"]?.objectValue?["bpm"] == 77)
        }
    }

    @Test(arguments: Reach.allCases)
    func `a subscription starts with its answer, even if that has to wait`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (client, other) = (try await server.client(), try await server.client())
            await server.services.holdExports()
            try await ask(client, 1, "export.wav", ["path": "/tmp/a.wav"])
            try await ask(client, 2, "subscribe", ["topics": ["frame", "state"]])
            try await other.call("tempo.set", ["bpm": 60])
            try await other.call("note.set", ["track": "bass", "step": 0, "note": 0, "velocity": "normal"])
            let goal = try await other.picture()
            await server.services.releaseExports()
            #expect(try await client.line().contains("a.wav"))
            let reply = try await client.json().objectValue?["result"]
            let start = try SubscribeReply(json: try #require(reply))
            var picture = FollowedPicture(try #require(start.frame))
            var state = try #require(start.state)
            while picture.sequence < goal.sequence || state.objectValue?["history"] != ["undo": 1, "redo": 0] {
                switch try await client.notification() {
                case .message(let update as FrameUpdate): try picture.apply(update)
                case .state(let patch): state = state.applying(patch)
                default: break
                }
            }
            #expect(state.objectValue?["bpm"] == 60)
        }
    }

    @Test(arguments: Reach.allCases)
    func `events too come only after the answer to their subscription`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (client, other) = (try await server.client(), try await server.client())
            await server.services.holdExports()
            try await ask(client, 1, "export.wav", ["path": "/tmp/a.wav"])
            try await ask(client, 2, "subscribe", ["topics": ["tooltip"]])
            try await ask(client, 3, "tempo.set", ["bpm": 200])
            try await waitUntil { try await other.call("state.get").objectValue?["bpm"] == 200 }
            try await other.call("subscribe", ["topics": ["tooltip"]])
            func tap(row: Int) async throws {
                try await other.touch("down", 4, row)
                try await other.touch("up", 4, row)
                _ = try await other.next(TooltipEvent.self)
            }
            try await tap(row: 4)
            await server.services.releaseExports()
            for id in 1...3 { #expect(try await client.json().objectValue?["id"] == .integer(id)) }
            try await tap(row: 6)
            _ = try await client.next(TooltipEvent.self)
        }
    }

    @Test(arguments: Reach.allCases)
    func `calls far beyond one turn's worth are all answered, in order`(reach: Reach) async throws {
        try await TestServer.with(reach, turn: .zero) { server in
            let client = try await server.client()
            let calls = (0..<1000).map { JSONValue.object(["jsonrpc": "2.0", "method": "ping", "id": .integer($0)]) }
            try await client.send(JSONValue.array(calls).text)
            let answers = try await client.json().arrayValue ?? []
            #expect(answers.map { $0.objectValue?["id"] } == (0..<1000).map { .integer($0) })
            let lines = calls.map { $0.text + "\n" }.joined()
            try await client.transport.send(Array(lines.utf8))
            #expect(try await self.answers(client, 1000) == (0..<1000).map { .integer($0) })
        }
    }

    @Test(arguments: Reach.allCases)
    func `more service calls than may run at once are all answered, in order`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            for id in 0..<100 { try await ask(client, id, "library.list") }
            #expect(try await answers(client, 100) == (0..<100).map { .integer($0) })
        }
    }

    @Test(arguments: Reach.allCases)
    func `exports are cancelled when their client is gone, even those not yet begun`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            await server.services.holdExports()
            var cancelled = server.services.cancelledExports.makeAsyncIterator()
            try await ask(client, 1, "export.wav", ["path": "/tmp/a.wav"])
            try await ask(client, 2, "export.wav", ["path": "/tmp/b.wav"])
            await client.transport.close()
            #expect(await cancelled.next(isolation: nil) == "/tmp/a.wav")
            await server.services.releaseExports(holdingMore: true)
            #expect(await cancelled.next(isolation: nil) == "/tmp/b.wav")
            await server.services.releaseExports()
        }
    }

    @Test(arguments: Reach.allCases)
    func `a client that merely ends its input gets its export`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            await server.services.holdExports()
            try await ask(client, 1, "export.wav", ["path": "/tmp/a.wav"])
            try await client.transport.endInput()
            try await server.client().call("ping")
            await server.services.releaseExports()
            #expect(try await answers(client, 1) == [.integer(1)])
            #expect(await client.hasEnded())
        }
    }

    @Test(arguments: Reach.allCases)
    func `a save names the saved pattern, and not one that replaced it meanwhile`(reach: Reach)
        async throws
    {
        try await TestServer.with(reach) { server in
            let (client, other) = (try await server.client(), try await server.client())
            func name() async throws -> JSONValue? {
                try await other.call("state.get").objectValue?["pattern"]?.objectValue?["name"]
            }
            await server.services.holdSaves()
            try await ask(client, 1, "library.save", ["name": "mine"])
            var saves = server.services.heldSaves.makeAsyncIterator()
            await saves.next(isolation: nil)
            try await other.call(
                "pattern.set",
                ["pattern": ["version": 1, "name": "another", "bpm": 99, "tracks": [:] as JSONValue]])
            await server.services.releaseSaves()
            #expect(try await answers(client, 1) == [.integer(1)])
            #expect(try await name() == "another")

            await server.services.holdSaves()
            try await ask(client, 2, "library.save", ["name": "mine"])
            await saves.next(isolation: nil)
            try await other.call("tempo.set", ["bpm": 100])
            await server.services.releaseSaves()
            #expect(try await answers(client, 1) == [.integer(2)])
            #expect(try await name() == "mine")

            await server.services.holdSaves()
            try await ask(client, 3, "library.save", ["name": "again"])
            await saves.next(isolation: nil)
            try await other.call("history.undo")
            await server.services.releaseSaves()
            #expect(try await answers(client, 1) == [.integer(3)])
            #expect(try await name() == "")
        }
    }

    @Test func `a flush behind a save waits for the name as well`() async throws {
        try await TestServer.with(.direct, turn: .seconds(3600)) { server in
            let client = try await server.client()
            // Without rounds, after which all that has changed is handed to the storage.
            try await server.eventLoop.submit { server.control.loop.value.stop() }.get()
            let save = Request(id: .integer(1), method: "library.save", parameters: .byName(["name": "mine"]))
            try await client.transport.send(save.line + Request(id: .integer(2), method: "storage.flush").line)
            var flushes = server.services.flushes.makeAsyncIterator()
            #expect(await flushes.next(isolation: nil) == [.setName("mine")])
        }
    }
}
