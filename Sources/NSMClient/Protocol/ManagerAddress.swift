import Glibc

/// Where a session manager is, as it says in `NSM_URL`: `osc.udp://localhost:15324/`.
struct ManagerAddress: Equatable, Sendable {
    /// The machine's name or its IPv4 address.
    var host: String
    /// The manager's UDP port, which it also sends from.
    var port: UInt16

    /// Reads the address; nil for what is none.
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
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        getnameinfo(place.ai_addr, place.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A machine that nobody knows, and what the system says of it.
    struct Unreachable: Error, CustomStringConvertible {
        let host: String
        let reason: String
        var description: String { "NSM_URL: \(host): \(reason)" }
    }
}
