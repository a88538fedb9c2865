/// The secret that lets a page in: 128 random bits, or what somebody has put into its file.
public struct Token: Sendable {
    /// As it is written in addresses: base64url without padding, from here 32 hexadecimal digits.
    public let text: String

    /// The characters of 128 bits in base64url. A shorter token could be guessed, as any number may be tried.
    static let shortest = 22
    /// With a longer one, the message of a page would be too long.
    static let longest = 256

    public init() {
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in
            let half = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - half.count) + half
        }
        text = digits.joined()
    }

    /// Reads a stored token; nil for invalid text.
    public init?(_ text: String) {
        guard (Self.shortest...Self.longest).contains(text.utf8.count), Self.isWritable(text) else { return nil }
        self.text = text
    }

    /// Whether a text, however short, has only characters of base64url.
    static func isWritable(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch UnicodeScalar(byte) {
            case "0"..."9", "A"..."Z", "a"..."z", "-", "_": true
            default: false
            }
        }
    }

    /// Compares a received token in constant time.
    func matches(_ other: String) -> Bool {
        let other = Array(other.utf8)
        let own = Array(text.utf8)
        guard other.count == own.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// The origin of a page, as its browser sends it: scheme, name and port.
struct PageOrigin: Hashable, Sendable {
    private let scheme: String
    private let name: String
    private let port: String

    /// Reads an origin in a header or the configuration; nil when no page can be served from it.
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

    /// Whether it means the machine itself, so that other devices cannot open it.
    var isLocal: Bool { ["localhost", "localhost."].contains(name) || name == "[::1]" || name.hasPrefix("127.") }

    /// Whether it is the origin of the page that a `Host` serves. The scheme is not compared, because a proxy may
    /// terminate TLS.
    func isServed(by host: String) -> Bool {
        PageOrigin(scheme, host, defaultPort: scheme == "https" ? "443" : "80") == self
    }
}
