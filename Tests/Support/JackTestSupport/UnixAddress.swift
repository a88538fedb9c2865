import Glibc
import SystemSupport

/// Calls a function of the system with the address of a Unix-domain socket, and the address's length.
public func withUnixAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    guard let address = UnixAddress(path: path) else { preconditionFailure("no path of a socket: \(path)") }
    return address.withPointer(body)
}
