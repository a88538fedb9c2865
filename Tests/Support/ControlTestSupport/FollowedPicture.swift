import Grid
import JSON
import Wire

/// A picture that a client keeps up to date.
package struct FollowedPicture {
    package var sequence: Int
    package var frame: Frame

    /// A picture that differs from the sum of the diffs, or a diff that does not apply.
    package struct Mismatch: Error {
        package var sequence: Int
        package var update: FrameUpdate?
    }

    package init(_ keyFrame: KeyFrame) {
        sequence = keyFrame.sequence
        frame = keyFrame.frame
    }

    package subscript(column: Int, row: Int) -> Color { frame[column, row] }

    /// Applies a diff, which must be relative to this picture.
    package mutating func apply(_ update: FrameUpdate) throws {
        guard update.base == sequence, update.sequence != update.base, frame.apply(update.changes) else {
            throw Mismatch(sequence: sequence, update: update)
        }
        sequence = update.sequence
    }

    /// Applies diffs until the picture is at least as new as another, and checks that they agree.
    package mutating func follow(_ client: TestClient, until goal: KeyFrame) async throws {
        while sequence < goal.sequence {
            try apply(try await client.next())
        }
        if sequence == goal.sequence, frame != goal.frame { throw Mismatch(sequence: sequence) }
    }
}

extension TestClient {
    /// The current picture.
    package func picture() async throws -> KeyFrame {
        try KeyFrame(json: try await call("frame.get"))
    }

    /// Subscribes to the picture.
    package func subscribeToFrames(_ parameters: JSONObject = [:]) async throws -> FollowedPicture {
        var parameters = parameters
        parameters["topics"] = ["frame"]
        let reply = try SubscribeReply(json: try await call("subscribe", parameters))
        guard let frame = reply.frame else { throw TestClient.Ended() }
        return FollowedPicture(frame)
    }
}
