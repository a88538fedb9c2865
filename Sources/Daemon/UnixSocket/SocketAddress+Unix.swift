import Glibc
import SystemSupport

/// Calls a function with the address of a path.
///
/// - Throws: ``ListenError/pathTooLong(path:limit:)`` rather than truncating the path.
func withUnixAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) throws(ListenError) -> Result {
    guard let address = UnixAddress(path: path) else {
        throw .pathTooLong(path: path, limit: UnixAddress.longestPath)
    }
    return address.withPointer(body)
}

/// A new Unix-domain stream socket, non-blocking and close-on-exec.
func makeUnixSocket() throws(ListenError) -> CInt {
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw .system("create a socket") }
    return descriptor
}
