import NIOCore

/// Pings at regular times, and whether they are answered.
struct Heartbeat {
    /// Pings in a row that may stay unanswered.
    static let patience = 2

    private var next: Scheduled<Void>?
    private var unanswered = 0

    /// Waits for the time of the next ping.
    ///
    /// - Parameter isAlive: Given whether the ones before were answered.
    mutating func schedule(
        _ context: ChannelHandlerContext, in interval: Duration, _ ping: @escaping (_ isAlive: Bool) -> Void
    ) {
        let isAlive = unanswered < Self.patience
        unanswered += 1
        next = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(interval)) { ping(isAlive) }
    }

    /// Notes an answer.
    mutating func answered() {
        unanswered = 0
    }

    /// Ends.
    mutating func stop() {
        next?.cancel()
        next = nil
    }
}
