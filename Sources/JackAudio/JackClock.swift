import CJack

/// JACK's clock beside the system's.
///
/// Both count from the same moment, but jackd reads a clock that is not corrected (`CLOCK_MONOTONIC_RAW`): after a day the
/// two can be seconds apart.
public enum JackClock {
    /// What is added to JACK's time now to get the system's monotonic one; it drifts, by a few hundred µs in ten seconds.
    public static var offset: Duration {
        let before = cjack_monotonic_nanoseconds()
        let jack = jack_get_time()
        let after = cjack_monotonic_nanoseconds()
        return .nanoseconds(Int64(before / 2 + after / 2)) - .microseconds(Int64(jack))
    }
}
