import Glibc

public struct ListenAddress: Equatable, Sendable {
    /// A literal IPv4 or IPv6 address.
    public var address: String
    /// 0 for any free port.
    public var port: Int

    public init(address: String, port: Int) {
        self.address = address
        self.port = port
    }

    /// Reads `192.168.1.2:8044` or `[fe80::1]:8044`; nil for anything else.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        let address = text[..<colon]
        let isBracketed = address.hasPrefix("[") && address.hasSuffix("]")
        guard !address.isEmpty, isBracketed == address.contains(":") else { return nil }
        self.init(address: String(isBracketed ? address.dropFirst().dropLast() : address), port: port)
        guard isLiteral else { return nil }
    }

    /// As in the configuration: `192.168.1.2:8044` or `[fe80::1]:8044`.
    public var text: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }

    /// Whether it is an IP address rather than a host name.
    private var isLiteral: Bool {
        var binary = in6_addr()
        return inet_pton(address.contains(":") ? AF_INET6 : AF_INET, address, &binary) == 1
    }
}

extension SettingKind<[ListenAddress]> {
    /// Addresses to listen on.
    ///
    /// - Parameters:
    ///   - port: The port in the examples.
    ///   - orNone: Whether the list may be empty.
    public static func addresses(port: Int, orNone: Bool) -> SettingKind {
        list(
            "addresses with a port each, like \"192.168.1.2:\(port)\" or \"[::1]:\(port)\"", orNone: orNone,
            { ListenAddress($0) }, write: \.text)
    }
}
