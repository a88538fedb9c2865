import Glibc

/// A socket that the service manager opened and passed (sd_listen_fds(3)).
public struct PassedSocket: Equatable, Sendable {
    /// The open socket; from now on closed on exec.
    public let descriptor: Int32
    /// The name that its unit gives it, else `unknown`.
    public let name: String

    /// The sockets that were passed to this process, according to its environment.
    ///
    /// - Parameter first: The first passed descriptor; 3 except in tests.
    public static func all(
        environment: [String: String], processID: Int32 = getpid(), first: Int32 = 3
    ) -> [PassedSocket] {
        guard let owner = environment["LISTEN_PID"], Int32(owner) == processID,
            let text = environment["LISTEN_FDS"], let count = Int32(text), (1...1024).contains(count)
        else { return [] }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        return (0..<count).map { index in
            let descriptor = first + index
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let name = Int(index) < names.count ? String(names[Int(index)]) : ""
            return PassedSocket(descriptor: descriptor, name: name.isEmpty ? "unknown" : name)
        }
    }

    /// Whether it is a listening Unix-domain stream socket.
    public var isListening: Bool {
        option(SO_DOMAIN) == AF_UNIX && option(SO_TYPE) == Int32(SOCK_STREAM.rawValue) && option(SO_ACCEPTCONN) == 1
    }

    private func option(_ name: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}
