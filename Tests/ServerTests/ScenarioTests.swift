import Grid
import JSON
import Music
import NIOCore
import Testing
import Wire

/// The same scenarios in process and over the real socket.
@Suite(.timeLimit(.minutes(1)))
struct ScenarioTests {
    @Test("the daemon speaks first", arguments: Reach.allCases)
    func welcome(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.newcomer()
            #expect(
                try await client.json() == [
                    "jsonrpc": "2.0", "method": "welcome",
                    "params": [
                        "server": "pixelboopd", "version": "1.2.3", "protocol": 1, "cols": 44, "rows": 24,
                        "limits": ["line": 524288, "unread": 1_048_576],
                    ],
                ])
        }
    }

    @Test("ping is answered", arguments: Reach.allCases)
    func ping(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let client = try await server.client()
            #expect(try await client.call("ping") == [:])
        }
    }

    @Test("a tap writes a note, tells so, and ends in every subscriber's picture", arguments: Reach.allCases)
    func tap(reach: Reach) async throws {
        try await TestServer.with(reach) { server in
            let (toucher, watcher) = (try await server.client(), try await server.client())
            var picture = try await watcher.subscribeToFrames()
            let before = picture.frame
            try await toucher.touch("down", 4, 4)
            #expect(
                try await toucher.call("touch", TestClient.touch("up", 4, 4))
                    == ["gesture": "tap", "notes": 1, "frame": .null])
            try await picture.follow(watcher, until: try await toucher.picture())
            #expect(picture.frame != before)
            #expect(try await toucher.call("history.undo") == ["undo": 0, "redo": 1])
        }
    }
}

/// A picture that a client keeps up to date.
struct FollowedPicture {
    var sequence: Int
    var frame: Frame

    init(_ keyFrame: KeyFrame) {
        sequence = keyFrame.sequence
        frame = keyFrame.frame
    }

    /// Applies a diff, which must be against this picture.
    mutating func apply(_ update: FrameUpdate) throws {
        try #require(update.base == sequence)
        try #require(update.sequence > update.base)
        let isApplied = frame.apply(update.diff)
        try #require(isApplied)
        sequence = update.sequence
    }

    /// Applies diffs until a picture is reached that is at least as new as another, and checks that they agree.
    mutating func follow(_ client: TestClient, until goal: KeyFrame) async throws {
        while sequence < goal.sequence {
            try apply(try await client.next { if case .frame(let update) = $0 { update } else { nil } })
        }
        if sequence == goal.sequence { try #require(frame == goal.frame) }
    }
}

extension TestClient {
    /// The picture of now.
    func picture() async throws -> KeyFrame {
        try KeyFrame(json: try await call("frame.get"))
    }

    /// Subscribes to the picture.
    func subscribeToFrames(_ parameters: JSONObject = [:]) async throws -> FollowedPicture {
        var parameters = parameters
        parameters["topics"] = ["frame"]
        let reply = try SubscribeReply(json: try await call("subscribe", parameters))
        return FollowedPicture(try #require(reply.frame))
    }
}
