import Glibc

/// Decides whether the service manager's watchdog is fed: only while everything that has to move does.
///
/// It is asked on the control loop, which therefore need not be watched further: a loop that hangs does not ask.
public struct Watchdog: Equatable, Sendable {
    /// How often to ask: half of the time after which the manager gives the process up.
    public let interval: Duration
    private var lastCycle: UInt64?

    /// What the audio callback is doing.
    public enum Audio: Equatable, Sendable {
        /// There is no server to call it.
        case silent
        /// It is being called; how many cycles it has counted.
        case running(cycle: UInt64)
        /// It will never be called again unless the process is restarted.
        case stuck
    }

    /// The watchdog that an environment asks for (`WATCHDOG_USEC`, `WATCHDOG_PID`); nil when there is none, or it is
    /// meant for another process.
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
