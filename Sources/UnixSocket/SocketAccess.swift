import Glibc

/// Who may connect: the daemon's own user and root, and a group if one is set.
public struct SocketAccess: Equatable, Sendable {
    /// The number of the group that may connect too, nil for none.
    public var group: UInt32?

    /// Only the daemon's own user and root unless a group is named.
    public init(group: UInt32? = nil) {
        self.group = group
    }

    /// The permissions of the socket.
    var socketMode: mode_t { group == nil ? 0o600 : 0o660 }
    /// The permissions of the directory that it is in.
    var directoryMode: mode_t { group == nil ? 0o700 : 0o750 }

    /// Whether a peer may connect.
    ///
    /// - Parameter user: The daemon's own.
    func admits(_ peer: PeerCredentials, user: uid_t = geteuid()) -> Bool {
        if peer.user == user || peer.user == 0 { return true }
        guard let group else { return false }
        return peer.groups.contains(group)
    }

    /// Gives a file to the group, if there is one, and sets its permissions.
    func apply(mode: mode_t, to path: String) throws(ListenError) {
        if let group, chown(path, uid_t.max, group) != 0 { throw .system("give \(path) to group \(group)") }
        if chmod(path, mode) != 0 { throw .system("set the permissions of \(path)") }
    }
}
