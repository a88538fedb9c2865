import NIOCore

/// The time that the session is told: the system's monotonic clock, which is also the event loop's.
public enum ControlClock {
    /// Now.
    public static var now: Duration {
        .nanoseconds(Int64(clamping: NIODeadline.now().uptimeNanoseconds))
    }
}

extension NIODeadline {
    /// The deadline at a time of the ``ControlClock``.
    init(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        self = .uptimeNanoseconds(UInt64(clamping: seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}
