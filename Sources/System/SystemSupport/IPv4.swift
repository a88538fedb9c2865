import Glibc

/// An IPv4 address, as a number with its first byte the highest.
public struct IPv4: Hashable, Sendable {
    public let number: UInt32

    /// The machine itself.
    public static let loopback = IPv4(0x7f00_0001)

    public init(_ number: UInt32) { self.number = number }

    /// The address of a host. Looking up a name may take seconds.
    ///
    /// - Throws: ``Unknown``.
    public static func resolve(_ host: String) throws(Unknown) -> IPv4 {
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
    public init?(literal: String) {
        var address = in_addr()
        guard inet_pton(AF_INET, literal, &address) == 1 else { return nil }
        number = UInt32(bigEndian: address.s_addr)
    }

    /// The address in a `sockaddr_in`.
    public init(_ address: UnsafePointer<sockaddr>) {
        number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
        }
    }

    /// In dotted decimal.
    public var text: String {
        stride(from: 24, through: 0, by: -8).map { "\(number >> $0 & 0xff)" }.joined(separator: ".")
    }

    /// A name that cannot be resolved, and the system's reason.
    public struct Unknown: Error {
        public let reason: String
    }

    /// Calls a system function with the address, a port and their length.
    public func withPointer<Result>(
        port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = number.bigEndian
        return withUnsafePointer(to: place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Calls a system function that reports an address and a port.
    public static func reported<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> (result: Result, address: IPv4, port: UInt16) {
        var place = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
        return (result, IPv4(UInt32(bigEndian: place.sin_addr.s_addr)), UInt16(bigEndian: place.sin_port))
    }
}
