import Grid
import JSON
import Testing
import Wire

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

extension TestClient {
    /// The next change of the state.
    func nextPatch() async throws -> JSONValue {
        try await next { if case .state(let patch) = $0 { patch } else { nil } }
    }
}
