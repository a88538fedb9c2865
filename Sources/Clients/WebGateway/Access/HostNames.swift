import Glibc

/// The host names that requests may use. A malicious site can make its own name resolve to this machine
/// ("DNS rebinding"), but the browser still sends that name.
struct HostNames: Sendable {
    private let names: Set<String>
    /// Whether there are names besides this machine's own.
    let hasFurther: Bool

    /// This machine's own names, and further ones.
    init(machine: String = HostNames.machine, further: [String] = []) {
        hasFurther = !further.isEmpty
        let short = machine.prefix { $0 != "." }
        names = Set(["localhost", machine, "\(machine).local", "\(short).local"] + further).map { $0.lowercased() }
            .reduce(into: []) { $0.insert($1) }
    }

    /// This machine's host name.
    static var machine: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a `Host`, with or without a port, is one of them or a literal address.
    func contain(_ host: String) -> Bool {
        guard let (name, _) = Self.split(host) else { return false }
        // A dot at the end makes a name complete, so that resolvers append no domain.
        let isComplete = name.count > 1 && name.hasSuffix(".")
        return names.contains((isComplete ? String(name.dropLast()) : name).lowercased()) || Self.isAddress(name)
    }

    /// Name and port of an authority; nil if it is invalid.
    static func split(_ authority: String) -> (name: String, port: String)? {
        let end: String.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            end = authority.index(after: bracket)
        } else {
            end = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let (name, rest) = (authority[..<end], authority[end...])
        guard !name.isEmpty else { return nil }
        guard !rest.isEmpty else { return (String(name), "") }
        let port = rest.dropFirst()
        guard rest.hasPrefix(":"), port.count <= 5, port.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return (String(name), String(port))
    }

    private static func isAddress(_ name: String) -> Bool {
        // Large enough for IPv6.
        var address = [UInt8](repeating: 0, count: 16)
        if name.hasPrefix("["), name.hasSuffix("]") {
            return inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &address) == 1
        }
        return inet_pton(AF_INET, name, &address) == 1
    }
}
