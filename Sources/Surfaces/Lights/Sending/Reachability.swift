/// Whether a host is reachable, by the network's errors, which come late and not every time. Only changes are
/// logged. Times are since any fixed moment.
struct Reachability: Equatable, Sendable {
    enum News: Equatable, Sendable {
        case lost(reason: String)
        case back
    }

    /// After this long without errors a host counts as reachable: one that is off causes an error every three seconds,
    /// or every ten if its name is looked up again after each.
    private static let patience = Duration.seconds(12)

    /// The last failure; nil while the host counts as reachable.
    private var lastFailure: Duration?

    /// Notes that sending failed.
    mutating func fail(_ reason: String, at now: Duration) -> News? {
        defer { lastFailure = now }
        return lastFailure == nil ? .lost(reason: reason) : nil
    }

    /// Notes that no failure was reported.
    mutating func succeed(at now: Duration) -> News? {
        guard let failure = lastFailure, now - failure >= Self.patience else { return nil }
        lastFailure = nil
        return .back
    }
}
