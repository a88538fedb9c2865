import Glibc

/// Blocking TCP sockets on this machine's loopback.
enum LoopbackTCP {
    /// Connects to a port; a read that takes longer than 10 s fails.
    ///
    /// - Parameter room: What the kernel keeps of what is not read, in bytes; as much as it likes by default.
    static func connection(to port: Int, room: CInt? = nil) throws -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        sendAtOnce(on: descriptor)
        if var room { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4) }
        guard withAddress(of: port, { connect(descriptor, $0, $1) }) == 0 else {
            throw LineSocket.Failure(call: "connect to port \(port)")
        }
        return descriptor
    }

    /// A socket that accepts connections, and the port that the kernel chose for it.
    static func listen() throws -> (listener: CInt, port: Int) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard withAddress(of: 0, { bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 64) == 0 else {
            throw LineSocket.Failure(call: "listen")
        }
        var (address, size) = (sockaddr(), socklen_t(MemoryLayout<sockaddr>.size))
        getsockname(descriptor, &address, &size)
        let port = withUnsafeBytes(of: address) { Int($0[2]) << 8 | Int($0[3]) }
        return (descriptor, port)
    }

    /// Holds back nothing to fill a packet.
    static func sendAtOnce(on descriptor: CInt) {
        var isOn: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
    }

    private static func withAddress(of port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        // Family, port, address and padding of a `sockaddr_in`.
        let address =
            [UInt8(AF_INET), 0, UInt8(port >> 8), UInt8(port & 0xff), 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
        return address.withUnsafeBytes {
            body($0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t($0.count))
        }
    }
}
