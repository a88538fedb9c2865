import Music
import Session
import Wire

/// What a handler has to work with; lives as long as the call.
struct Call {
    /// The control loop that the call runs on.
    let loop: ControlLoop
    /// Who calls.
    let client: Client
    /// The line whose answer holds this call's, nil for a notification.
    let line: Int?
    /// When the call came.
    let now: Duration

    /// Carries a command out.
    func perform(_ command: Command) throws {
        let now = now
        try loop.withSession { try $0.perform(command, at: now) }
    }

    /// The transport as it is heard now.
    var transport: TransportStatus {
        let now = now
        return loop.withSession { session in
            session.catchUp(to: now)
            return session.transport
        }
    }

    /// Asks the session for something.
    func ask<Answer: Sendable>(_ question: (isolated Session) throws -> Answer) rethrows -> Answer {
        try loop.withSession(question)
    }
}
