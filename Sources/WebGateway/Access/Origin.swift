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
