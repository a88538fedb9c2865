/// Whether a host gets what is sent to it, as far as the network reports it, which it does late and not every time. People are
/// notified of changes only. Times are since any moment that stays the same.
struct Reachability: Equatable, Sendable {
    enum News: Equatable, Sendable {
        case lost(reason: String)
        case back
    }

    /// How long nothing must have failed: a host that is off is noticed every three seconds.
    private static let patience = Duration.seconds(5)

    /// The last failure of a host that is lost.
    private var lastFailure: Duration?

    /// Sending did not work, for a reason.
    mutating func fail(_ reason: String, at now: Duration) -> News? {
        defer { lastFailure = now }
        return lastFailure == nil ? .lost(reason: reason) : nil
    }

    /// Nothing was heard of a failure.
    mutating func succeed(at now: Duration) -> News? {
        guard let failure = lastFailure, now - failure >= Self.patience else { return nil }
        lastFailure = nil
        return .back
    }
}
