import Glibc

/// Decides whether to feed the service manager's watchdog: only while everything that must move does.
///
/// It is called on the control loop, which therefore needs no other check: a hanging loop does not call it.
public struct Watchdog: Equatable, Sendable {
    /// How often to call: half of the manager's timeout.
    public let interval: Duration
    private var lastCycle: UInt64?

    /// What the audio callback is doing.
    public enum Audio: Equatable, Sendable {
        /// No server calls it.
        case silent
        /// It is being called; the number of cycles so far.
        case running(cycle: UInt64)
        /// It will never be called again unless the process is restarted.
        case stuck
    }

    /// The watchdog in the environment (`WATCHDOG_USEC`, `WATCHDOG_PID`); nil if there is none, or it is for another
    /// process.
    public init?(environment: [String: String], processID: Int32 = getpid()) {
        if let owner = environment["WATCHDOG_PID"], Int32(owner) != processID { return nil }
        guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0 else {
            return nil
        }
        interval = .microseconds(microseconds) / 2
    }

    public mutating func shouldFeed(_ audio: Audio) -> Bool {
        guard case .running(let cycle) = audio else {
            lastCycle = nil
            return audio != .stuck
        }
        defer { lastCycle = cycle }
        return cycle != lastCycle
    }
}
