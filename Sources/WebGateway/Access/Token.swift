/// The secret that lets a page in: 128 random bits.
public struct Token: Sendable {
    /// As it is written in addresses: 32 hexadecimal digits.
    public let text: String

    public init() {
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in
            let half = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - half.count) + half
        }
        text = digits.joined()
    }

    /// One that was kept; nil when the text is none.
    public init?(_ text: String) {
        guard text.utf8.count == 32, text.utf8.allSatisfy({ Self.digits.contains($0) }) else { return nil }
        self.text = text
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// Whether somebody else's token is this one. The time that it takes does not depend on where they differ.
    func matches(_ other: String) -> Bool {
        let other = Array(other.utf8)
        let own = Array(text.utf8)
        guard other.count == own.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// Where a page comes from, as its browser says: scheme, name and port.
struct Origin: Hashable, Sendable {
    private let scheme: String
    private let name: String
    private let port: String

    /// An origin as it stands in a header or in the configuration; nil when it is none that a page can be served from.
    init?(_ text: String) {
        for (scheme, port) in [("http", "80"), ("https", "443")] where text.hasPrefix("\(scheme)://") {
            self.init(scheme, String(text.dropFirst(scheme.count + 3)), defaultPort: port)
            return
        }
        return nil
    }

    private init?(_ scheme: String, _ authority: String, defaultPort: String) {
        guard let (name, port) = HostNames.split(authority) else { return nil }
        self.scheme = scheme
        self.name = name.lowercased()
        self.port = port.isEmpty ? defaultPort : port
    }

    /// Whether it is the page that a `Host` serves. The scheme is not compared: a proxy in front may have taken the
    /// encryption off.
    func isServed(by host: String) -> Bool {
        Origin(scheme, host, defaultPort: scheme == "https" ? "443" : "80") == self
    }
}
