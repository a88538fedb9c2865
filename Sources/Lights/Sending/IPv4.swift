import Glibc

/// An IPv4 address, as a number with its first byte highest.
struct IPv4: Hashable, Sendable {
    let number: UInt32

    init(_ number: UInt32) { self.number = number }

    /// The group of a universe: 239.255, then the universe. (E1.31, 9.3.1)
    init(groupOfUniverse universe: Int) { number = 0xefff_0000 | UInt32(universe & 0xffff) }

    /// The address of a host. Looking up a name may take seconds.
    ///
    /// - Throws: ``Unknown``.
    static func resolve(_ host: String) throws(Unknown) -> IPv4 {
        var hints = addrinfo()
        hints.ai_family = AF_INET
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        defer { if list != nil { freeaddrinfo(list) } }
        guard status == 0, let address = list?.pointee.ai_addr else {
            throw Unknown(reason: String(cString: gai_strerror(status)))
        }
        return IPv4(address)
    }

    /// A literal address, nil for a name.
    init?(literal: String) {
        var address = in_addr()
        guard inet_pton(AF_INET, literal, &address) == 1 else { return nil }
        number = UInt32(bigEndian: address.s_addr)
    }

    fileprivate init(_ address: UnsafePointer<sockaddr>) {
        number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
        }
    }

    /// A name that cannot be resolved, and the system's reason.
    struct Unknown: Error {
        let reason: String
    }
}

/// A network that this machine is in.
struct Network: Equatable, Sendable {
    let address: IPv4
    let mask: IPv4

    /// The networks that this machine is in now.
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
            networks.append(Network(address: IPv4(address), mask: IPv4(mask)))
        }
        return networks
    }

    /// The broadcast address of the network that a host is in, the smallest of several; the host's own address if it is
    /// in none of ours, as behind a router.
    static func directedBroadcast(for host: IPv4, in networks: [Network]) -> IPv4 {
        let around = networks.filter { $0.contains(host) && $0.mask.number < 0xffff_fffe }
        guard let nearest = around.max(by: { $0.mask.number < $1.mask.number }) else { return host }
        return IPv4(host.number | ~nearest.mask.number)
    }

    private func contains(_ host: IPv4) -> Bool { host.number & mask.number == address.number & mask.number }
}
