import NIOCore

/// An address that the gateway listens on.
public struct Listening: Sendable {
    public var address: SocketAddress
    /// Whether this machine may lack such an address.
    public var isOptional: Bool

    public init(_ address: SocketAddress, isOptional: Bool = false) {
        self.address = address
        self.isOptional = isOptional
    }

    public static func loopback(port: Int) throws -> [Listening] {
        [
            Listening(try SocketAddress(ipAddress: "127.0.0.1", port: port)),
            Listening(try SocketAddress(ipAddress: "::1", port: port), isOptional: true),
        ]
    }

    /// All addresses of this machine.
    public static func everywhere(port: Int) throws -> [Listening] {
        [
            Listening(try SocketAddress(ipAddress: "0.0.0.0", port: port)),
            Listening(try SocketAddress(ipAddress: "::", port: port), isOptional: true),
        ]
    }
}

/// Why the gateway cannot listen on an address.
public struct ListeningFailure: Error, CustomStringConvertible {
    public let address: String
    public let reason: String

    public var description: String { "cannot listen on \(address): \(reason)" }
}
