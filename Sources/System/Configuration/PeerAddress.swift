import Glibc

/// Another machine, or one port of it.
public struct PeerAddress: Equatable, Sendable {
    /// A literal IPv4 or IPv6 address in its shortest form.
    public var address: String
    /// Nil for all of its ports.
    public var port: Int?

    /// Reads `192.168.1.20`, `192.168.1.20:9000`, `fe80::1` or `[fe80::1]:9000`; nil for anything else.
    public init?(_ text: String) {
        if let address = Self.canonical(text) {
            self.address = address
            return
        }
        guard let place = ListenAddress(text), place.port > 0, let address = Self.canonical(place.address) else {
            return nil
        }
        self.address = address
        port = place.port
    }

    /// As in the configuration.
    public var text: String { port.map { ListenAddress(address: address, port: $0).text } ?? address }

    /// The same address as the system writes it; nil for anything but an address.
    private static func canonical(_ text: String) -> String? {
        var binary = in6_addr()
        let family = text.contains(":") ? AF_INET6 : AF_INET
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_pton(family, text, &binary) == 1,
            inet_ntop(family, &binary, &buffer, socklen_t(buffer.count)) != nil
        else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension SettingKind<[PeerAddress]> {
    /// Machines, or ports of machines.
    public static var peers: SettingKind {
        list(
            "addresses, each with a port or without, like \"192.168.1.20\" or \"192.168.1.20:9000\"",
            { PeerAddress($0) }, write: \.text)
    }
}
