import Glibc
import SystemSupport

/// A listening Unix-domain socket and its file.
struct ListeningSocket: Sendable {
    let descriptor: CInt

    private let file: File?

    /// The socket's file, which is removed at the end.
    private struct File: Sendable {
        var path: String
        var identity: SocketIdentity
        /// Held while the daemon runs, so that another one cannot take over the socket.
        var lock: SocketLock
    }

    /// How many connections may wait to be accepted.
    private static let backlog: CInt = 1024

    /// Restores our backlog. NIO calls listen again on a socket passed to it, with a backlog of 128; when that is full,
    /// non-blocking clients are refused.
    func restoreBacklog() {
        _ = listen(descriptor, ListeningSocket.backlog)
    }

    /// Adopts a socket that is already listening, as systemd passes it.
    init(adopting descriptor: CInt) throws(ListenError) {
        func option(_ name: CInt) -> CInt? {
            var value: CInt = 0
            var size = socklen_t(MemoryLayout<CInt>.size)
            return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
        }
        guard option(SO_DOMAIN) == AF_UNIX, option(SO_TYPE) == CInt(SOCK_STREAM.rawValue), option(SO_ACCEPTCONN) == 1
        else { throw .notListening(descriptor: descriptor) }
        self.descriptor = descriptor
        file = nil
    }

    /// Creates a socket, replacing one that a daemon left behind.
    ///
    /// - Parameters:
    ///   - ownsDirectory: Whether the directory is the daemon's own, so that it gets the right permissions even if it
    ///     already exists.
    init(path: String, ownsDirectory: Bool, access: SocketAccess) throws(ListenError) {
        // First, so that a bad path leaves nothing behind.
        _ = try withUnixAddress(path) { _, _ in }
        try ListeningSocket.prepareDirectory(of: path, isOwned: ownsDirectory, access: access)
        let lock = try SocketLock(besides: path)
        var descriptor: CInt = -1
        do throws(ListenError) {
            try ListeningSocket.removeStale(path)
            descriptor = try makeUnixSocket()
            try ListeningSocket.bind(descriptor, to: path, access: access)
            guard let identity = SocketIdentity(path: path) else { throw ListenError.system("find \(path)") }
            file = File(path: path, identity: identity, lock: lock)
        } catch {
            if descriptor >= 0 { close(descriptor) }
            throw error
        }
        self.descriptor = descriptor
    }

    /// Removes the socket's file, if it is still this one. The code that accepts connections owns the socket itself.
    /// Another daemon can use the path once this value is released.
    func removeFile() {
        guard let file, SocketIdentity(path: file.path) == file.identity else { return }
        unlink(file.path)
    }

    private static func prepareDirectory(
        of path: String, isOwned: Bool, access: SocketAccess
    ) throws(ListenError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let directory = String(path[..<slash])
        let isNew = mkdir(directory, access.directoryMode) == 0
        if !isNew, errno != EEXIST { throw .system("create the directory \(directory)") }
        if isNew || isOwned { try access.apply(mode: access.directoryMode, to: directory) }
    }

    /// Removes a stale socket; throws if a daemon still listens on it, or the file is not a socket.
    private static func removeStale(_ path: String) throws(ListenError) {
        guard let existing = SocketIdentity(path: path) else { return }
        guard existing.isSocket else { throw .notASocket(path: path) }
        let probe = try makeUnixSocket()
        defer { close(probe) }
        let result = try withUnixAddress(path) { connect(probe, $0, $1) }
        guard result != 0, errno == ECONNREFUSED else { throw .inUse(path: path) }
        if unlink(path) != 0 { throw .system("remove the stale socket \(path)") }
    }

    /// Permissions are set before anyone can connect: before `listen` all connections are refused.
    private static func bind(_ descriptor: CInt, to path: String, access: SocketAccess) throws(ListenError) {
        let result = try withUnixAddress(path) { Glibc.bind(descriptor, $0, $1) }
        guard result == 0 else { throw .system("create the socket \(path)") }
        try access.apply(mode: access.socketMode, to: path)
        guard listen(descriptor, backlog) == 0 else { throw .system("listen on \(path)") }
    }
}

/// A lock on a socket's path, released with its owner: the socket's file alone does not show whether it may be
/// replaced.
private final class SocketLock: Sendable {
    private let descriptor: CInt

    init(besides path: String) throws(ListenError) {
        descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system("create the lock \(path).lock") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .inUse(path: path) : .system("lock \(path).lock")
        }
    }

    deinit {
        if descriptor >= 0 { unlockAndClose(descriptor) }
    }
}

/// Identifies the file at a path.
private struct SocketIdentity: Equatable, Sendable {
    var device: dev_t
    var inode: ino_t
    var isSocket: Bool

    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
    }
}
