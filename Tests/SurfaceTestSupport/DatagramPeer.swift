import Foundation

/// A UDP socket on loopback, read on a thread of its own.
public final class DatagramPeer: Sendable {
    public struct Datagram: Equatable, Sendable {
        public let bytes: [UInt8]
        public let port: UInt16
    }

    /// The socket's own port.
    public let port: UInt16
    private let descriptor: Int32
    private let datagrams: AsyncStream<Datagram>

    /// A socket that is bound.
    ///
    /// - Parameters:
    ///   - address: An address of loopback, 127.255.255.255 for what is sent to everybody.
    ///   - port: Any that is free by default.
    public init(address: String = "127.0.0.1", port: UInt16 = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var place = Self.place(address, port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard isBound == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        var length = size
        _ = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        self.port = UInt16(bigEndian: place.sin_port)
        let (stream, continuation) = AsyncStream<Datagram>.makeStream()
        datagrams = stream
        Thread.detachNewThread {
            while let datagram = Self.receive(descriptor) { continuation.yield(datagram) }
            close(descriptor)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func place(_ address: String, _ port: UInt16) -> sockaddr_in {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        inet_pton(AF_INET, address, &place.sin_addr)
        return place
    }

    private static func receive(_ descriptor: Int32) -> Datagram? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var sender = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &sender) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor, &buffer, buffer.count, 0, $0, &length)
            }
        }
        // A socket that was shut down has nothing, from nobody.
        guard count > 0, length > 0 else { return nil }
        return Datagram(bytes: Array(buffer[..<count]), port: UInt16(bigEndian: sender.sin_port))
    }

    /// Waits for the next datagram; for one reader at a time.
    public func receive() async -> Datagram? {
        for await datagram in datagrams { return datagram }
        return nil
    }

    /// Sends a datagram to a port of loopback.
    public func send(_ bytes: [UInt8], to port: UInt16) {
        var place = Self.place("127.0.0.1", port)
        _ = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
