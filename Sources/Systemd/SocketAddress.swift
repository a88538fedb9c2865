import Glibc

/// The address of a Unix-domain socket: a path, or a name in Linux's abstract namespace, written with a leading `@`.
struct SocketAddress {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// An address; nil when it is neither a path nor an abstract name, or too long.
    init?(_ text: String) {
        var bytes = Array(text.utf8)
        guard bytes.count > 1, bytes[0] == UInt8(ascii: "/") || bytes[0] == UInt8(ascii: "@") else { return nil }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // An abstract name is as long as the address says, a path ends with a zero that does not count.
        length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + bytes.count)
    }

    /// Calls a function of the system that takes an address.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
