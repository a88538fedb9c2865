/// Values by key. When there are too many, the least recently used is forgotten: of the same host if that has too many,
/// otherwise of any.
struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        let host: String?
        var lastUse: Int
    }

    private let capacity: Int
    /// For each other machine.
    private let perHost: Int
    private var entries: [Key: Entry] = [:]
    private var uses = 0

    init(capacity: Int, perHost: Int) {
        self.capacity = capacity
        self.perHost = perHost
    }

    var count: Int { entries.count }

    func value(for key: Key) -> Value? { entries[key]?.value }

    /// The keys of a host.
    func keys(of host: String?) -> [Key] { entries.filter { $0.value.host == host }.map(\.key) }

    /// The key that would be forgotten for a new one.
    func next(toForgetFor host: String?) -> Key? {
        let own = entries.filter { $0.value.host == host }
        if host != nil, own.count >= perHost { return own.min { $0.value.lastUse < $1.value.lastUse }?.key }
        guard entries.count >= capacity else { return nil }
        return entries.min { $0.value.lastUse < $1.value.lastUse }?.key
    }

    /// Stores a value of a host; nil for this one.
    mutating func set(_ value: Value, for key: Key, of host: String?) {
        if entries[key] == nil, let old = next(toForgetFor: host) { entries[old] = nil }
        uses += 1
        entries[key] = Entry(value: value, host: host, lastUse: uses)
    }

    /// Notes that a key is in use.
    mutating func touch(_ key: Key) {
        uses += 1
        entries[key]?.lastUse = uses
    }

    mutating func remove(_ key: Key) { entries[key] = nil }
}
