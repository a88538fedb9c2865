import Glibc

/// Decides whether the service manager's watchdog is fed: only while everything that has to move does.
///
/// It is asked on the control loop, which therefore need not be watched further: a loop that hangs does not ask.
public struct Watchdog: Equatable, Sendable {
    /// How often to ask: half of the time after which the manager gives the process up.
    public let interval: Duration
    private var lastCycle: UInt64?

    /// The watchdog that an environment asks for (`WATCHDOG_USEC`, `WATCHDOG_PID`); nil when there is none, or it is
    /// meant for another process.
    public init?(environment: [String: String], processID: Int32 = getpid()) {
        if let owner = environment["WATCHDOG_PID"], Int32(owner) != processID { return nil }
        guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0 else {
            return nil
        }
        interval = .microseconds(microseconds) / 2
    }

    /// Whether to feed the watchdog now.
    ///
    /// - Parameter audioCycle: A count of the audio callback's cycles; nil while there is no server to call it.
    public mutating func shouldFeed(audioCycle: UInt64?) -> Bool {
        defer { lastCycle = audioCycle }
        guard let audioCycle, let lastCycle else { return true }
        return audioCycle != lastCycle
    }
}
