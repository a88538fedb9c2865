import NIOCore

/// Counts open connections, so that no address can use them all.
struct ConnectionCount {
    /// How many there may be.
    struct Limits: Sendable {
        var total: Int
        /// Of one address elsewhere.
        var perParty: Int
        /// Of all, those that are reserved for this machine.
        var reserved: Int
    }

    private(set) var total = 0
    /// Those from elsewhere.
    private var distant = 0
    private var parties: [String: Int] = [:]

    /// Counts one more; false when there may be none from there.
    mutating func add(_ address: SocketAddress?, within limits: Limits) -> Bool {
        guard total < limits.total else { return false }
        if let party = Self.distantParty(address) {
            guard distant < limits.total - limits.reserved, parties[party, default: 0] < limits.perParty else {
                return false
            }
            distant += 1
            parties[party, default: 0] += 1
        }
        total += 1
        return true
    }

    mutating func remove(_ address: SocketAddress?) {
        total -= 1
        guard let party = Self.distantParty(address), let count = parties[party] else { return }
        distant -= 1
        parties[party] = count > 1 ? count - 1 : nil
    }

    /// Who is at the other side; nil for this machine.
    private static func distantParty(_ address: SocketAddress?) -> String? {
        guard let address, !address.isLoopback else { return nil }
        return address.party
    }
}
