import Glibc
import SystemSupport

extension IPv4 {
    /// The group of a universe: 239.255, then the universe. (E1.31, 9.3.1)
    init(groupOfUniverse universe: Int) { self.init(0xefff_0000 | UInt32(universe & 0xffff)) }
}

/// A network that this machine is in.
struct Network: Equatable, Sendable {
    /// The name of the interface to it.
    let interface: String
    let address: IPv4
    let mask: IPv4
    /// Whether other hosts can be reached by multicast there.
    let hasMulticast: Bool

    /// This machine's current networks.
    static var all: [Network] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var networks: [Network] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, let mask = entry.ifa_netmask,
                Int32(address.pointee.sa_family) == AF_INET, entry.ifa_flags & UInt32(IFF_UP) != 0
            else { continue }
            let kind = entry.ifa_flags & UInt32(IFF_MULTICAST | IFF_LOOPBACK)
            networks.append(
                Network(
                    interface: String(cString: entry.ifa_name), address: IPv4(address), mask: IPv4(mask),
                    hasMulticast: kind == IFF_MULTICAST))
        }
        return networks
    }

    /// The broadcast address of a host's network, the smallest of several; the host's own address if it is in none of
    /// this machine's networks, as behind a router.
    static func directedBroadcast(for host: IPv4, in networks: [Network]) -> IPv4 {
        let around = networks.filter { $0.contains(host) && $0.mask.number < 0xffff_fffe }
        guard let nearest = around.max(by: { $0.mask.number < $1.mask.number }) else { return host }
        return IPv4(host.number | ~nearest.mask.number)
    }

    /// The interface by which multicast can leave if no route says so, as without a router: the only one with multicast.
    static func interfaceWithoutRoute(in networks: [Network]) -> String? {
        let names = Set(networks.filter(\.hasMulticast).map(\.interface))
        return names.count == 1 ? names.first : nil
    }

    private func contains(_ host: IPv4) -> Bool { host.number & mask.number == address.number & mask.number }
}
