/// Values that were published, by their numbers, for as long as a log may refer to them.
struct PublishedValues<Number: Hashable & Comparable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let value: Value
        /// When a newer one was published; nil for the newest.
        var replaced: SuspendingClock.Instant?
    }

    private var entries: [Number: Entry] = [:]
    /// The newest number.
    private var newest: Number

    /// How long the callback may take to report the cycle in which it read the newest value: more than the longest period.
    static var patience: Duration { .seconds(2) }

    /// - Parameter newest: The number before that of the first value.
    init(after newest: Number) { self.newest = newest }

    var count: Int { entries.count }

    /// Whether a number's value was passed on, be it needed or not.
    func includes(_ number: Number) -> Bool { number <= newest }

    /// Adds the newest value.
    mutating func add(_ value: Value, number: Number, at now: SuspendingClock.Instant) {
        entries[newest]?.replaced = now
        entries[number] = Entry(value: value)
        newest = number
    }

    /// A value; nil if it has been forgotten.
    subscript(number: Number) -> Value? { entries[number]?.value }

    /// The oldest value with at least a number.
    func first(from number: Number) -> Value? {
        entries.keys.filter { $0 >= number }.min().flatMap { self[$0] }
    }

    /// Forgets what no later record refers to: what is older than what counts, and what was replaced long ago, before the
    /// callback, which reads the newest, came to it.
    mutating func forget(before counting: Number, at now: SuspendingClock.Instant) {
        entries = entries.filter { number, entry in
            guard number > counting, let replaced = entry.replaced else { return number >= counting }
            return now - replaced < Self.patience
        }
    }
}
