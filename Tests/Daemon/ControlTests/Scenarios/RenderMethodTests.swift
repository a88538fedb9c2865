import Control
import ControlTestSupport
import Foundation
import JSON
import TestSupport
import Testing
import Wire

/// Renders of takes, and in the background.
@Suite(.timeLimit(.minutes(1)))
struct RenderMethodTests {
    /// A client that hears of its renders.
    private func listener(_ server: TestServer) async throws -> TestClient {
        let client = try await server.client()
        try await client.call("subscribe", ["topics": ["take"]])
        #expect(try await client.next(TakeEvent.self) == .changed)
        return client
    }

    private func begin(_ client: TestClient, take: Int = 12, stems: Bool = false) async throws -> Int {
        let reply = try await client.call("take.render", ["take": .integer(take), "stems": .bool(stems)])
        return try #require(try RenderReply(json: reply).render)
    }

    private func data(_ client: TestClient, _ render: Int, from offset: Int = 0) async throws -> RenderedData {
        try RenderedData(
            json: try await client.call("take.data", ["render": .integer(render), "offset": .integer(offset)]))
    }

    private static let sound = RenderedSound(frames: 8_755_200, seconds: 182.4)

    @Test(arguments: Reach.allCases)
    func `a render to a path is answered at its end, and its client hears how far it is`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await listener(server)
            let other = try await listener(server)
            var held = server.services.renders.hold()
            try await client.send(
                #"{"jsonrpc":"2.0","method":"take.render","params":{"take":12,"path":"/tmp/a.wav"},"id":"a"}"#)
            let render = try #require(await held.next())
            #expect(render.name == "take 12")
            render.report(0.25)
            #expect(try await client.next(TakeEvent.self) == .progress(render: 1, 0.25))
            render.finish()
            let answer = try await client.response()
            #expect(answer.id == .string("a"))
            #expect(try answer.result.get() == .object(RenderReply(path: "/tmp/a.wav", Self.sound).json))
            #expect(try await client.next(TakeEvent.self) == .done(render: 1, Self.sound, files: []))
            try await other.call("ping")
            #expect(other.pendingNotifications.isEmpty)
            #expect(try await client.refusal("take.data", ["render": 1, "offset": 0])?.code == .notFound)
        }
    }

    @Test(arguments: Reach.allCases)
    func `a render in the background is answered at once, and fetched in parts after its end`(
        reach: Reach
    ) async throws {
        try await TestServer.with(reach) { server in
            let client = try await listener(server)
            let content = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
            server.services.renders.setContent(content)
            var held = server.services.renders.hold()
            let number = try await begin(client, stems: true)
            let render = try #require(await held.next())
            #expect(
                try await client.refusal("take.data", ["render": .integer(number), "offset": 0])?.message
                    == "render: render 1 is still under way")
            render.finish()
            #expect(
                try await client.next(TakeEvent.self)
                    == .done(render: number, Self.sound, files: ["mix", "melody"]))
            var (fetched, offsets): ([UInt8], [Int]) = ([], [])
            while true {
                let part = try await data(client, number, from: fetched.count)
                offsets.append(fetched.count)
                #expect(part.size == content.count)
                fetched += try #require(Data(base64Encoded: part.data))
                if part.isEnd { break }
            }
            #expect(fetched == content)
            #expect(offsets == [0, 262_144, 524_288])
            #expect(
                try await client.call(
                    "take.data", ["render": .integer(number), "offset": 0, "stem": "melody"])
                    == ["data": "AQI=", "size": 2, "end": true])
            #expect(
                try await client.call("take.data", ["render": .integer(number), "offset": 600_000])
                    == ["data": "", "size": 600_000, "end": true])
            #expect(
                try await client.refusal("take.data", ["render": .integer(number), "offset": 600_001])?.message
                    == "offset: expected an integer from 0 to 600000, got 600001")
            #expect(
                try await client.refusal(
                    "take.data", ["render": .integer(number), "offset": 0, "stem": "bass"])?.message
                    == #"stem: expected one of mix, melody, got "bass""#)
        }
    }

    @Test func `one render at a time is in the background, and what is ready stays with its client`() async throws {
        try await TestServer.with(.direct) { server in
            let (first, second) = (try await listener(server), try await listener(server))
            var held = server.services.renders.hold()
            let number = try await begin(first)
            let render = try #require(await held.next())
            let refusal = try await second.refusal("take.render", ["take": 3])
            #expect(refusal?.code == .heldByAnother)
            #expect(refusal?.message == "another client renders in the background, where there is room for one")
            #expect(try await second.refusal("export.wav")?.code == .heldByAnother)
            render.finish()
            _ = try await first.next(TakeEvent.self)
            let next = try await begin(second)
            try #require(await held.next()).finish()
            #expect(try await second.next(TakeEvent.self) == .done(render: next, Self.sound, files: ["mix"]))
            #expect(try await data(first, number).size == 4)
            #expect(try await data(second, next).isEnd)
            let parameters: JSONObject = ["render": .integer(number), "offset": 0]
            #expect(try await second.refusal("take.data", parameters)?.code == .notFound)
            #expect(try await second.refusal("take.cancel", ["render": .integer(number)])?.code == .notFound)
        }
    }

    @Test(arguments: [false, true])
    func `a client's next render in the background replaces its earlier one`(isReady: Bool) async throws {
        try await TestServer.with(.direct) { server in
            let client = try await listener(server)
            var held = server.services.renders.hold()
            let number = try await begin(client)
            let render = try #require(await held.next())
            if isReady {
                render.finish()
                _ = try await client.next(TakeEvent.self)
            }
            let next = try await begin(client)
            if !isReady {
                var cancelled = render.cancelled.makeAsyncIterator()
                #expect(await cancelled.next() != nil)
                #expect(
                    try await client.next(TakeEvent.self)
                        == .failed(render: number, "replaced by render \(next)"))
            }
            try #require(await held.next()).finish()
            #expect(try await client.next(TakeEvent.self) == .done(render: next, Self.sound, files: ["mix"]))
            let parameters: JSONObject = ["render": .integer(number), "offset": 0]
            #expect(try await client.refusal("take.data", parameters)?.message == "not found: render \(number)")
            #expect(try await data(client, next).isEnd)
        }
    }

    @Test(arguments: Reach.allCases)
    func `renders end with their client, and then others may render`(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (client, other) = (try await server.client(), try await server.client())
            var held = server.services.renders.hold()
            _ = try await begin(client)
            let inBackground = try #require(await held.next())
            try await client.notify("take.render", ["take": 4, "path": "/tmp/a.wav"])
            let toPath = try #require(await held.next())
            await client.transport.close()
            for render in [inBackground, toPath] {
                var cancelled = render.cancelled.makeAsyncIterator()
                #expect(await cancelled.next() != nil)
            }
            _ = try await begin(other)
            #expect(await held.next() != nil)
        }
    }

    @Test func `a client cancels its renders, by number or all`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await listener(server)
            var held = server.services.renders.hold()
            let number = try await begin(client)
            let render = try #require(await held.next())
            try await client.call("take.cancel", ["render": .integer(number)])
            var cancelled = render.cancelled.makeAsyncIterator()
            #expect(await cancelled.next() != nil)
            #expect(try await client.next(TakeEvent.self) == .failed(render: number, "cancelled"))
            #expect(try await client.refusal("take.cancel", ["render": .integer(number)])?.code == .notFound)

            let second = try await begin(client)
            _ = await held.next()
            try await client.send(
                #"{"jsonrpc":"2.0","method":"take.render","params":{"take":4,"path":"/tmp/a.wav"},"id":"path"}"#)
            _ = await held.next()
            try await client.send(#"{"jsonrpc":"2.0","method":"take.cancel","id":"cancel"}"#)
            let answer = try await client.response()
            #expect(answer.id == .string("path"))
            #expect(throws: WireError(.storage, "cancelled")) { try answer.result.get() }
            #expect(try await client.response().id == .string("cancel"))
            var failed: Set<Int> = []
            while failed.count < 2 {
                if case .failed(let number, "cancelled") = try await client.next(TakeEvent.self) {
                    failed.insert(number)
                }
            }
            #expect(failed == [second, second + 1])
        }
    }

    @Test func `a render that is cancelled when it is ready can no longer be fetched`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await listener(server)
            let number = try await begin(client)
            _ = try await client.next(TakeEvent.self)
            try await client.call("take.cancel")
            let parameters: JSONObject = ["render": .integer(number), "offset": 0]
            #expect(try await client.refusal("take.data", parameters)?.code == .notFound)
        }
    }

    @Test func `a render that cannot begin is an error, and keeps nobody from rendering`() async throws {
        try await TestServer.with(.direct) { server in
            let (client, other) = (try await listener(server), try await listener(server))
            #expect(try await client.refusal("take.render", ["take": 404])?.code == .notFound)
            #expect(
                try await client.refusal("take.render", ["take": 404, "path": "/tmp/a.wav"])?.code == .notFound)
            var held = server.services.renders.hold()
            let number = try await begin(other)
            try #require(await held.next()).finish(.storage("the take is damaged"))
            #expect(try await other.next(TakeEvent.self) == .failed(render: number, "the take is damaged"))
            _ = try await begin(client)
            #expect(await held.next() != nil)
        }
    }

    @Test func `who subscribes later still hears of what can be fetched, and of nothing else`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await server.client()
            var held = server.services.renders.hold()
            _ = try await begin(client)
            try #require(await held.next()).finish(.storage("full"))
            let number = try await begin(client)
            try #require(await held.next()).finish()
            try await waitUntil {
                try await client.refusal("take.data", ["render": .integer(number), "offset": 0]) == nil
            }
            #expect(client.pendingNotifications.isEmpty)
            try await client.call("subscribe", ["topics": ["take"]])
            #expect(try await client.next(TakeEvent.self) == .changed)
            #expect(try await client.next(TakeEvent.self) == .done(render: number, Self.sound, files: ["mix"]))
        }
    }

    @Test func `parts are fetched one at a time`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await listener(server)
            let number = try await begin(client)
            _ = try await client.next(TakeEvent.self)
            server.services.renders.holdReads()
            let request = #"{"jsonrpc":"2.0","method":"take.data","params":{"render":\#(number),"offset":0},"id":"#
            try await client.send("[\(request)1},\(request)2}]")
            server.services.renders.releaseReads()
            let answers = try #require(try await client.json().arrayValue)
            #expect(answers[0].objectValue?["result"]?.objectValue?["data"] == "ZkxhQw==")
            #expect(
                answers[1].objectValue?["error"]?.objectValue?["message"]
                    == "take.data is for one request at a time")
            #expect(try await data(client, number).isEnd)
        }
    }

    @Test func `remote clients render in the background, and name no files`() async throws {
        try await TestServer.with(.direct) { server in
            let client = try await listener(server)
            try await client.call("hello", ["remote": true])
            let parameters: JSONObject = ["take": 12, "path": "/tmp/a.wav"]
            #expect(try await client.refusal("take.render", parameters)?.code == .notForRemoteClients)
            let midi: JSONObject = ["take": 12, "path": "/tmp/a.mid"]
            #expect(try await client.refusal("take.midi", midi)?.code == .notForRemoteClients)
            #expect(try await client.call("take.midi", ["take": 12]) == ["data": "TVRoZA==", "frames": 8_755_200])
            let number = try await begin(client)
            #expect(try await client.next(TakeEvent.self) == .done(render: number, Self.sound, files: ["mix"]))
            #expect(try await data(client, number).data == "ZkxhQw==")
            #expect(try await client.call("export.wav") == ["render": .integer(number + 1)])
        }
    }
}
