import NIOCore

struct OSCPeer: Equatable, Sendable {
    enum Transport: String, Sendable {
        case udp
        case tcp
    }

    let transport: Transport
    let address: String
    let port: Int
    /// Its protocol, address and port: `udp 127.0.0.1:9000`.
    let name: String

    init(_ transport: Transport, _ place: SocketAddress?) {
        self.init(transport, place?.ipAddress ?? "?", port: place?.port ?? 0)
    }

    init(_ transport: Transport, _ address: String, port: Int) {
        self.transport = transport
        self.port = port
        // An IPv6 socket's prefix for IPv4 addresses.
        let mapped = "::ffff:"
        self.address = address.hasPrefix(mapped) ? String(address.dropFirst(mapped.count)) : address
        name = "\(transport.rawValue) \(address):\(port)"
    }

    /// Its address; nil for this machine.
    var host: String? { ConfirmedPlace(address: address, port: port).host }
}
