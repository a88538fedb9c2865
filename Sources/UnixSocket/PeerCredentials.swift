import Glibc

/// Who is at the other end of a connection, as the kernel knows it.
struct PeerCredentials: Equatable {
    /// The effective user when it connected.
    var user: uid_t
    /// The effective group and the supplementary ones.
    var groups: Set<gid_t>

    init(user: uid_t, groups: Set<gid_t>) {
        self.user = user
        self.groups = groups
    }

    /// The peer of a connected Unix-domain socket; nil when the kernel does not know.
    init?(socket: CInt) {
        // The kernel's `struct ucred`: process, user and group, 32 bits each. Glibc shows it to GNU sources only.
        var credentials: [UInt32] = [0, 0, 0]
        var size = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        user = credentials[1]
        groups = Set(PeerCredentials.supplementaryGroups(socket: socket) + [credentials[2]])
    }

    /// `SO_PEERGROUPS` of asm-generic/socket.h, which Glibc's headers do not pass on to Swift.
    private static let peerGroups: CInt = 59

    private static func supplementaryGroups(socket: CInt) -> [gid_t] {
        var size: socklen_t = 0
        // With no room the kernel answers ERANGE and says how much it takes.
        guard getsockopt(socket, SOL_SOCKET, peerGroups, nil, &size) != 0, errno == ERANGE else { return [] }
        var groups = [gid_t](repeating: 0, count: Int(size) / MemoryLayout<gid_t>.size)
        guard getsockopt(socket, SOL_SOCKET, peerGroups, &groups, &size) == 0 else { return [] }
        return groups
    }
}
