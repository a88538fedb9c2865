import Glibc

/// Calls a function of the system with the address of a Unix-domain socket.
func withUnixAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
}

/// The length of what ``withUnixAddress(_:_:)`` gives for a path.
let unixAddressLength = socklen_t(MemoryLayout<sockaddr_un>.size)
