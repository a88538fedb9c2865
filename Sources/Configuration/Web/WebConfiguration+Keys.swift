import Glibc

// From keys to settings and back.

extension WebConfiguration: Settings {
    /// Sets what a key stands for.
    public mutating func set(_ key: WebConfigurationKey, to value: RawValue, home: String?) throws(BadValue) {
        switch key {
        case .socket:
            socketPath = try checked(value.path(home: home)) { $0.utf8.count <= BaseDirectories.socketPathLimit }
        case .listen:
            let words = try checked(value.words)
            listening = words.compactMap { ListenAddress($0) }
            guard listening.count == words.count else { throw BadValue() }
        case .network: isOpenToNetwork = try checked(value.boolean)
        case .host: hosts = try checked(value.words) { $0.allSatisfy(Self.isName) }
        case .origin: origins = try checked(value.words) { $0.allSatisfy(Self.isOrigin) }
        case .token: demandsToken = try checked(value.boolean)
        case .tokenFile: tokenFile = try checked(value.path(home: home))
        case .certificate: certificate = try checked(value.path(home: home))
        case .privateKey: privateKey = try checked(value.path(home: home))
        case .maxClients: maxClients = try checked(value.integer) { Self.clientLimits.contains($0) }
        case .logLevel: logLevel = try checked(value.choice())
        }
    }

    /// The value of a key as it would stand in the file; nil when it is not set and has no default.
    public func value(of key: WebConfigurationKey) -> String? {
        switch key {
        case .socket: quoted(socketPath)
        case .listen: list(listening.map(\.text))
        case .network: "\(isOpenToNetwork)"
        case .host: list(hosts)
        case .origin: list(origins)
        case .token: "\(demandsToken)"
        case .tokenFile: quoted(tokenFile)
        case .certificate: certificate.flatMap { quoted($0) }
        case .privateKey: privateKey.flatMap { quoted($0) }
        case .maxClients: "\(maxClients)"
        case .logLevel: quoted(logLevel.rawValue)
        }
    }

    /// A certificate without a key, or the other way round.
    public var conflict: (key: WebConfigurationKey, message: String)? {
        switch (certificate, privateKey) {
        case (.some, nil): (.certificate, "tls-certificate needs tls-key too")
        case (nil, .some): (.privateKey, "tls-key needs tls-certificate too")
        default: nil
        }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch UnicodeScalar(byte) {
                case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": true
                default: false
                }
            }
    }

    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }) else { return false }
        let place = text.dropFirst(scheme.count)
        let port = place.drop { $0 != ":" }.dropFirst()
        return isName(String(place.prefix { $0 != ":" })) && port.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

extension ListenAddress {
    /// Whether the address is one, rather than a name.
    var isLiteral: Bool {
        var address = in6_addr()
        return inet_pton(self.address.contains(":") ? AF_INET6 : AF_INET, self.address, &address) == 1
    }
}
