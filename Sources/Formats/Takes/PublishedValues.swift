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

    /// The most values that are kept.
    static var most: Int { 512 }

    /// - Parameter newest: The number before that of the first value.
    init(after newest: Number) { self.newest = newest }

    var count: Int { entries.count }

    /// The newest value; nil if there is none.
    var latest: Value? { entries[newest]?.value }

    /// Whether a number's value was passed on, be it needed or not.
    func includes(_ number: Number) -> Bool { number <= newest }

    /// Adds the newest value.
    mutating func add(_ value: Value, number: Number, at now: SuspendingClock.Instant) {
        entries[newest]?.replaced = now
        entries[number] = Entry(value: value)
        newest = number
        guard entries.count > Self.most else { return }
        // Nobody forgets them, because the disk hangs.
        let oldest = entries.keys.sorted()[entries.count / 2]
        entries = entries.filter { $0.key >= oldest }
    }

    /// A number's value, or the next one if that has been forgotten; nil if there is none.
    func standIn(for number: Number) -> (value: Value?, isExact: Bool) {
        if let entry = entries[number] { return (entry.value, true) }
        return (entries.keys.filter { $0 >= number }.min().flatMap { entries[$0]?.value }, false)
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
