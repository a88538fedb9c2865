/// A host that pictures are sent to, as configured.
public enum Controller: Hashable, Sendable {
    /// A name or a literal IPv4 address, and a port if it is not the protocol's own.
    case host(String, port: UInt16?)
    /// All members of a universe's multicast group.
    case multicast

    /// Reads `wall.local`, `192.168.1.50` or `192.168.1.50:4048`; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !parts[0].isEmpty, parts[0].utf8.allSatisfy(Self.isOfName) else {
            return nil
        }
        guard parts.count == 2 else {
            self = .host(String(parts[0]), port: nil)
            return
        }
        guard let port = UInt16(parts[1]), port > 0 else { return nil }
        self = .host(String(parts[0]), port: port)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": true
        default: false
        }
    }

    /// As it is configured.
    var text: String {
        switch self {
        case .host(let name, let port?): "\(name):\(port)"
        case .host(let name, nil): name
        case .multicast: "multicast"
        }
    }
}
