import Glibc

/// Who may connect: the daemon's own user and root, and a group if one is set.
public struct SocketAccess: Equatable, Sendable {
    /// The ID of the group that may connect too, nil for none.
    public var group: UInt32?

    /// Admits only the daemon's own user and root unless given a group.
    public init(group: UInt32? = nil) {
        self.group = group
    }

    var socketMode: mode_t { group == nil ? 0o600 : 0o660 }
    /// The mode of the socket's directory.
    var directoryMode: mode_t { group == nil ? 0o700 : 0o750 }

    /// Whether a peer may connect.
    ///
    /// - Parameter user: The daemon's own user.
    func admits(_ peer: PeerCredentials, user: uid_t = geteuid()) -> Bool {
        if peer.user == user || peer.user == 0 { return true }
        guard let group else { return false }
        return peer.groups.contains(group)
    }

    /// Sets a file's group, if there is one, and its permissions.
    func apply(mode: mode_t, to path: String) throws(ListenError) {
        if let group, chown(path, uid_t.max, group) != 0 { throw .system("give \(path) to group \(group)") }
        if chmod(path, mode) != 0 { throw .system("set the permissions of \(path)") }
    }
}

/// The identity of a connection's peer, from the kernel.
struct PeerCredentials: Equatable {
    /// The effective user when it connected.
    var user: uid_t
    /// The effective group and the supplementary ones.
    var groups: Set<gid_t>

    init(user: uid_t, groups: Set<gid_t>) {
        self.user = user
        self.groups = groups
    }

    /// The peer of a connected Unix-domain socket; nil if the kernel does not know it.
    init?(socket: CInt) {
        // The kernel's `struct ucred`: process, user and group, 32 bits each. Glibc declares it for `_GNU_SOURCE` only.
        var credentials: [UInt32] = [0, 0, 0]
        var size = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        user = credentials[1]
        groups = Set(PeerCredentials.supplementaryGroups(socket: socket) + [credentials[2]])
    }

    /// `SO_PEERGROUPS` of asm-generic/socket.h, which Swift's Glibc module does not export.
    private static let peerGroups: CInt = 59

    private static func supplementaryGroups(socket: CInt) -> [gid_t] {
        var size: socklen_t = 0
        // Given no room, the kernel returns ERANGE and the size it needs.
        guard getsockopt(socket, SOL_SOCKET, peerGroups, nil, &size) != 0, errno == ERANGE else { return [] }
        var groups = [gid_t](repeating: 0, count: Int(size) / MemoryLayout<gid_t>.size)
        guard getsockopt(socket, SOL_SOCKET, peerGroups, &groups, &size) == 0 else { return [] }
        return groups
    }
}
