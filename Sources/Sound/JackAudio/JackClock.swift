import CJack
import CLinux

/// JACK's clock compared with the system's.
///
/// Both count from the same moment, but jackd reads a clock that is not corrected (`CLOCK_MONOTONIC_RAW`): after a day the
/// two can be seconds apart.
public enum JackClock {
    /// The system's monotonic time minus JACK's; it drifts by a few hundred µs in ten seconds.
    public static var offset: Duration {
        let now = reading
        return .microseconds(now.monotonic - now.jack)
    }

    /// JACK's clock and the system's two clocks at the same moment, in µs, from the quickest of several readings.
    public static var reading: (jack: Int64, monotonic: Int64, raw: Int64) {
        var best = read()
        for _ in 0..<4 {
            let next = read()
            if next.span < best.span { best = next }
        }
        return (best.jack, best.monotonic, best.raw)
    }

    private static func read() -> (jack: Int64, monotonic: Int64, raw: Int64, span: UInt64) {
        let before = clinux_monotonic_nanoseconds()
        let rawBefore = clinux_raw_nanoseconds()
        let jack = jack_get_time()
        let rawAfter = clinux_raw_nanoseconds()
        let after = clinux_monotonic_nanoseconds()
        func middle(_ one: UInt64, _ other: UInt64) -> Int64 { Int64((one / 2 + other / 2) / 1000) }
        return (Int64(jack), middle(before, after), middle(rawBefore, rawAfter), after - before)
    }
}
