import CJack

/// Times of events that explain what is heard: in JACK's time, in µs.
struct Disturbances {
    private var ranges: [ClosedRange<UInt64>]

    init(_ ranges: ClosedRange<UInt64>...) { self.init(ranges: ranges) }

    private init(ranges: [ClosedRange<UInt64>]) { self.ranges = ranges }

    mutating func add(_ range: ClosedRange<UInt64>) { ranges.append(range) }

    func merging(_ others: Disturbances) -> Disturbances { Disturbances(ranges: ranges + others.ranges) }

    /// Whether any of them overlaps a time.
    func touch(_ time: ClosedRange<UInt64>) -> Bool { ranges.contains { $0.overlaps(time) } }
}

extension ClosedRange<UInt64> {
    /// JACK's current time, extended by some seconds before and after.
    static func now(since before: Double = 0, until after: Double = 0) -> Self {
        let now = jack_get_time()
        return now - UInt64(before * 1e6)...now + UInt64(after * 1e6)
    }
}
