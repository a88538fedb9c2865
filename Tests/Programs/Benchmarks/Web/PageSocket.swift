import Foundation
import Glibc

/// A page's connection to the gateway: a WebSocket whose messages are the lines of the control socket. Like
/// ``LineSocket`` it does as little work as possible: its time counts in the measurement.
final class PageSocket: LineChannel {
    let descriptor: CInt
    private var unread: [UInt8] = []
    private var start = 0

    private static let handshake = """
        GET /socket HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nUpgrade: websocket\r\n\
        Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
        """

    /// Connects to a gateway on this machine, and reads the daemon's welcome.
    init(port: Int) throws {
        descriptor = try Self.connection(to: port)
        try write(Array(Self.handshake.utf8))
        let end = Array("\r\n\r\n".utf8)
        while unread.firstRange(of: end) == nil { try more() }
        start = unread.firstRange(of: end)?.upperBound ?? 0
        _ = try line()
    }

    deinit { close(descriptor) }

    /// A connection to a port of this machine, whose reads fail after 10 s, without Nagle's algorithm.
    private static func connection(to port: Int) throws -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        LineSocket.limitReads(from: descriptor)
        var isOn: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
        // Family, port, address and padding of a `sockaddr_in`.
        let address =
            [UInt8(AF_INET), 0, UInt8(port >> 8), UInt8(port & 0xff), 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
        let result = address.withUnsafeBytes {
            connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t($0.count))
        }
        guard result == 0 else {
            let failure = LineSocket.Failure(call: "connect to port \(port)")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Sends a line as a message, masked with zeros: a browser's own work is not measured.
    func send(_ line: [UInt8]) throws {
        try send(line.dropLast(), first: 0x81)
    }

    private func send(_ content: ArraySlice<UInt8>, first: UInt8) throws {
        let count = content.count
        var message = [first, 0x80 | UInt8(min(count, 126))]
        if count >= 126 { message += [UInt8(count >> 8), UInt8(count & 0xff)] }
        message += [0, 0, 0, 0]
        message += content
        try write(message)
    }

    /// The next message's payload; valid until the next call.
    func line() throws -> UnsafeRawBufferPointer {
        while true {
            try need(2)
            let first = unread[start]
            var (head, count) = (2, Int(unread[start + 1]))
            if count > 125 {
                head = count == 126 ? 4 : 10
                try need(head)
                count = unread[start + 2..<start + head].reduce(0) { $0 << 8 | Int($1) }
            }
            try need(head + count)
            let message = start + head..<start + head + count
            start = message.upperBound
            if first == 0x89 {
                // The gateway closes a page that leaves its pings unanswered.
                try send(unread[message], first: 0x8A)
            }
            guard first == 0x81 else { continue }
            return unread.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[message]) }
        }
    }

    private func need(_ count: Int) throws {
        while unread.count - start < count { try more() }
    }

    private func more() throws {
        unread.removeFirst(start)
        start = 0
        let old = unread.count
        unread += [UInt8](repeating: 0, count: 32_768)
        let count = unread.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + old, 32_768) }
        unread.removeLast(32_768 - max(0, count))
        guard count > 0 else { throw LineSocket.Failure(call: "read") }
    }

    private func write(_ bytes: [UInt8]) throws {
        guard Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
            throw LineSocket.Failure(call: "send")
        }
    }
}
