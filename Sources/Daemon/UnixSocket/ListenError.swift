import Glibc

/// Why the daemon cannot listen.
public enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path does not fit into a socket address.
    case pathTooLong(path: String, limit: Int)
    /// Another daemon listens on the path.
    case inUse(path: String)
    /// The path exists and is not a socket.
    case notASocket(path: String)
    /// The passed descriptor is not a listening Unix-domain stream socket.
    case notListening(descriptor: CInt)
    /// A system call failed.
    case system(action: String, code: CInt)

    /// The reason in words.
    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit):
            "the socket path has \(path.utf8.count) bytes; the limit is \(limit): \(path)"
        case .inUse(let path): "another daemon listens on \(path)"
        case .notASocket(let path): "\(path) is not a socket; it was left alone"
        case .notListening(let descriptor):
            "descriptor \(descriptor) is not a listening Unix-domain stream socket"
        case .system(let action, let code): "cannot \(action): \(String(cString: strerror(code)))"
        }
    }

    /// The error of the last system call.
    static func system(_ action: String) -> ListenError {
        .system(action: action, code: errno)
    }
}
