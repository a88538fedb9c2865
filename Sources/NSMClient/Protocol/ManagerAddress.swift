import Glibc

/// The address of a session manager in `NSM_URL`: `osc.udp://localhost:15324/`.
struct ManagerAddress: Equatable, Sendable {
    /// The machine's name or its IPv4 address.
    var host: String
    /// The manager's UDP port, which it also sends from.
    var port: UInt16

    /// Reads the address; nil for an invalid one.
    init?(url: String) {
        let scheme = "osc.udp://"
        guard url.hasPrefix(scheme) else { return nil }
        let place = url.dropFirst(scheme.count).prefix { $0 != "/" }
        guard let colon = place.lastIndex(of: ":"), colon != place.startIndex,
            let port = UInt16(place[place.index(after: colon)...]), port > 0
        else { return nil }
        host = String(place[..<colon])
        self.port = port
    }

    /// The IPv4 address in dotted decimal: session managers listen at no other. May wait for a name server.
    ///
    /// - Throws: ``Unreachable``.
    func resolve() throws(Unreachable) -> String {
        var hints = addrinfo()
        hints.ai_family = AF_INET
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        defer { if list != nil { freeaddrinfo(list) } }
        guard status == 0, let place = list?.pointee else {
            throw Unreachable(host: host, reason: String(cString: gai_strerror(status)))
        }
        return Self.text(of: place.ai_addr, place.ai_addrlen)
    }

    /// The local address from which the system reaches a host: only this one needs to listen for the manager.
    ///
    /// - Throws: ``Unreachable``.
    static func localAddress(facing host: String, port: UInt16) throws(Unreachable) -> String {
        func unreachable() -> Unreachable { Unreachable(host: host, reason: String(cString: strerror(errno))) }
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw unreachable() }
        defer { close(descriptor) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &place.sin_addr)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Connecting a datagram socket sends nothing: it only selects the route.
        let text = withUnsafeMutablePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place -> String? in
                guard connect(descriptor, place, size) == 0, getsockname(descriptor, place, &size) == 0 else {
                    return nil
                }
                return Self.text(of: place, size)
            }
        }
        guard let text else { throw unreachable() }
        return text
    }

    private static func text(of place: UnsafePointer<sockaddr>, _ size: socklen_t) -> String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        getnameinfo(place, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A machine that cannot be resolved or reached, and the system's reason.
    struct Unreachable: Error, CustomStringConvertible {
        let host: String
        let reason: String
        var description: String { "NSM_URL: \(host): \(reason)" }
    }
}
