import NIOCore

/// Counts open connections, so that no address can use them all.
struct ConnectionCount {
    struct Limits: Sendable {
        var total: Int
        /// From one address on another machine.
        var perParty: Int
        /// The part of ``total`` that is reserved for this machine.
        var reserved: Int
    }

    private(set) var total = 0
    /// Connections from other machines.
    private var distant = 0
    private var parties: [String: Int] = [:]

    /// Counts a new connection; false if a limit is reached.
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

    /// The remote party; nil for this machine.
    private static func distantParty(_ address: SocketAddress?) -> String? {
        guard let address, !address.isLoopback else { return nil }
        return address.party
    }
}
