import Foundation
import SystemSupport

/// A UDP socket on loopback, read on its own thread.
public final class DatagramPeer: Sendable {
    public struct Datagram: Equatable, Sendable {
        public let bytes: [UInt8]
        public let port: UInt16
    }

    /// The socket's own port.
    public let port: UInt16
    private let descriptor: Int32
    private let datagrams: AsyncStream<Datagram>

    /// - Parameters:
    ///   - address: A loopback address; 127.255.255.255 for broadcasts.
    ///   - port: By default any free one.
    public init(address: String = "127.0.0.1", port: UInt16 = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let descriptor = descriptor
        guard let place = IPv4(literal: address), place.withPointer(port: port, { bind(descriptor, $0, $1) }) == 0
        else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        self.port = IPv4.reported { getsockname(descriptor, $0, $1) }.port
        let (stream, continuation) = AsyncStream<Datagram>.makeStream()
        datagrams = stream
        Thread.detachNewThread {
            while let datagram = Self.receive(descriptor) { continuation.yield(datagram) }
            close(descriptor)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func receive(_ descriptor: Int32) -> Datagram? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let (count, _, port) = IPv4.reported { recvfrom(descriptor, &buffer, buffer.count, 0, $0, $1) }
        // A socket that was shut down receives nothing, from no port.
        guard count > 0, port > 0 else { return nil }
        return Datagram(bytes: Array(buffer[..<count]), port: port)
    }

    /// Waits for the next datagram; for one reader at a time.
    public func receive() async -> Datagram? {
        for await datagram in datagrams { return datagram }
        return nil
    }

    /// Sends a datagram to a port of loopback.
    public func send(_ bytes: [UInt8], to port: UInt16) {
        _ = IPv4.loopback.withPointer(port: port) { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
    }
}
