/// A fixed amount of something that machines share, such as connections, so that no other machine can use it all.
public struct HostQuota: Sendable {
    public struct Limits: Sendable {
        public var total: Int
        /// For each other machine.
        public var perHost: Int
        /// The part of ``total`` that is reserved for this machine.
        public var reserved: Int

        public init(total: Int, perHost: Int, reserved: Int) {
            self.total = total
            self.perHost = perHost
            self.reserved = reserved
        }
    }

    private let limits: Limits
    public private(set) var used = 0
    private var usedByOthers = 0
    private var usedBy: [String: Int] = [:]

    public init(_ limits: Limits) { self.limits = limits }

    /// Whether there is an amount left for a host.
    ///
    /// - Parameter host: Another machine; nil for this one.
    public func hasRoom(for amount: Int, of host: String?) -> Bool {
        guard used + amount <= limits.total else { return false }
        guard let host else { return true }
        return usedByOthers + amount <= limits.total - limits.reserved
            && usedBy[host, default: 0] + amount <= limits.perHost
    }

    /// Reserves an amount for a host; false, without effect, when there is not enough left.
    public mutating func reserve(_ amount: Int, for host: String?) -> Bool {
        guard hasRoom(for: amount, of: host) else { return false }
        add(amount, to: host)
        return true
    }

    /// Releases an amount of a host.
    public mutating func release(_ amount: Int, of host: String?) { add(-amount, to: host) }

    private mutating func add(_ amount: Int, to host: String?) {
        used += amount
        guard let host else { return }
        usedByOthers += amount
        let total = usedBy[host, default: 0] + amount
        usedBy[host] = total == 0 ? nil : total
    }
}
