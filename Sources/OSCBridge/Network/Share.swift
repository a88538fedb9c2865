/// A fixed amount of a resource that is shared among hosts: no other machine gets more than a quarter of it, and all of
/// them together leave a quarter to this machine.
struct Share: Equatable, Sendable {
    /// The whole amount.
    let limit: Int
    private(set) var used = 0
    private var usedByOthers = 0
    private var usedBy: [String: Int] = [:]

    init(limit: Int) { self.limit = limit }

    func hasRoom(for amount: Int, of host: OSCPeer) -> Bool {
        guard used + amount <= limit else { return false }
        return host.isThisMachine
            || usedByOthers + amount <= limit - limit / 4
                && usedBy[host.address, default: 0] + amount <= max(1, limit / 4)
    }

    /// Reserves an amount for a host; false, without effect, when there is not enough left.
    mutating func reserve(_ amount: Int, for host: OSCPeer) -> Bool {
        guard hasRoom(for: amount, of: host) else { return false }
        add(amount, to: host)
        return true
    }

    /// Releases an amount of a host.
    mutating func release(_ amount: Int, of host: OSCPeer) { add(-amount, to: host) }

    private mutating func add(_ amount: Int, to host: OSCPeer) {
        used += amount
        guard !host.isThisMachine else { return }
        usedByOthers += amount
        let total = usedBy[host.address, default: 0] + amount
        usedBy[host.address] = total == 0 ? nil : total
    }
}
