import NIOCore

/// Schedules pings, and counts the unanswered ones.
struct Heartbeat {
    /// Pings in a row that may stay unanswered.
    static let patience = 2

    private var next: Scheduled<Void>?
    private var unanswered = 0

    mutating func schedule(_ context: ChannelHandlerContext, in interval: Duration, _ ping: @escaping () -> Void) {
        next = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(interval)) { ping() }
    }

    /// Counts a ping that is about to be sent; false if too many are unanswered.
    mutating func beat() -> Bool {
        guard unanswered < Self.patience else { return false }
        unanswered += 1
        return true
    }

    mutating func answered() {
        unanswered = 0
    }

    mutating func stop() {
        next?.cancel()
        next = nil
    }
}
