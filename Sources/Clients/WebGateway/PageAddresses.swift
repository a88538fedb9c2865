import NIOCore

public struct PageAddresses: Sendable {
    /// The addresses for browsers on other machines, the most likely one first; with the token after `#`, which
    /// browsers do not send.
    public let remote: [String]
    /// The address for browsers on this machine; without the token unless everybody needs it.
    public let local: String?

    /// The addresses of a gateway.
    ///
    /// - Parameters:
    ///   - listening: Where it listens.
    ///   - machine: This machine's own addresses.
    ///   - hosts: Its further host names, used instead of its addresses if there are any.
    ///   - token: Appended after `#`; nil to leave it out, for pages that have it already.
    public init(
        _ listening: [SocketAddress], machine: [SocketAddress], hosts: [String], isEncrypted: Bool, token: Token?,
        demandsToken: Bool
    ) {
        let scheme = isEncrypted ? "https" : "http"
        func page(_ host: String, _ port: Int, _ token: Token?) -> String {
            let isUsual = port == (isEncrypted ? 443 : 80)
            return "\(scheme)://\(host)\(isUsual ? "" : ":\(port)")/" + (token.map { "#\($0.text)" } ?? "")
        }
        var remote: [String] = []
        var local: String?
        for address in listening {
            guard let port = address.port, let ip = address.ipAddress else { continue }
            if address.isLoopback || address.isAny, local == nil {
                local = page("localhost", port, demandsToken ? token : nil)
            }
            guard !address.isLoopback else { continue }
            let reached =
                address.isAny ? machine.filter { $0.isReachable(over: address) }.compactMap(\.ipAddress) : [ip]
            for name in hosts.isEmpty ? reached.map({ $0.contains(":") ? "[\($0)]" : $0 }) : hosts {
                let page = page(name, port, token)
                if !remote.contains(page) { remote.append(page) }
            }
        }
        self.remote = remote
        self.local = local
    }

    /// This machine's current addresses.
    public static var machine: [SocketAddress] {
        ((try? System.enumerateDevices()) ?? []).compactMap(\.address)
    }
}

extension SocketAddress {
    var isAny: Bool { ipAddress == "0.0.0.0" || ipAddress == "::" }

    /// Whether other machines can reach this address when the gateway listens on all addresses of a family. Link-local
    /// addresses do not work without an interface.
    fileprivate func isReachable(over any: SocketAddress) -> Bool {
        guard self.protocol == any.protocol, !isLoopback, let text = ipAddress else { return false }
        return !text.hasPrefix("fe80:") && !text.hasPrefix("169.254.")
    }
}
