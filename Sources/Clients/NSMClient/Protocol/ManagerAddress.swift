import Glibc
import SystemSupport

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

    /// The IPv4 address: session managers listen on no other. May wait for a name server.
    ///
    /// - Throws: ``Unreachable``.
    func resolve() throws(Unreachable) -> IPv4 {
        do throws(IPv4.Unknown) {
            return try IPv4.resolve(host)
        } catch {
            throw Unreachable(host: host, reason: error.reason)
        }
    }

    /// The local address from which the system reaches a host: the manager sends to no other.
    ///
    /// - Throws: ``Unreachable``.
    static func localAddress(facing host: IPv4, port: UInt16) throws(Unreachable) -> IPv4 {
        func unreachable() -> Unreachable { Unreachable(host: host.text, reason: String(cString: strerror(errno))) }
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw unreachable() }
        defer { close(descriptor) }
        // Connecting a datagram socket sends nothing: it only selects the route.
        guard host.withPointer(port: port, { connect(descriptor, $0, $1) }) == 0 else { throw unreachable() }
        let (result, address, _) = IPv4.reported { getsockname(descriptor, $0, $1) }
        guard result == 0 else { throw unreachable() }
        return address
    }

    /// A machine that cannot be resolved or reached, and the system's reason.
    struct Unreachable: Error, CustomStringConvertible {
        let host: String
        let reason: String
        var description: String { "NSM_URL: \(host): \(reason)" }
    }
}
