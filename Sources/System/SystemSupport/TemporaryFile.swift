import CLinux
import Glibc

/// The open file behind a ``PendingFile``: unnamed, or with a hidden name and locked, to show that it is being written.
struct TemporaryFile {
    let descriptor: Int32

    /// The hidden name of the file until it gets its own, if the file system needs one.
    private let hiddenPath: String
    private var hasHiddenName: Bool
    /// A file that it has replaced, open and locked as long as it can come back; -1 without one.
    private var replaced: Int32 = -1

    private static let prefix = ".pixelboop-"
    private static let suffix = ".tmp"
    private static let flags = O_RDWR | O_CLOEXEC
    /// O_TMPFILE of fcntl.h, which Swift does not import because it is an expression.
    private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY

    /// How a file got its name.
    enum NameClaim {
        /// The name was free.
        case new
        /// The file that had it has the hidden name.
        case exchanged
        /// The file that had it is gone.
        case replaced
    }

    /// Creates an empty file in a directory.
    ///
    /// - Parameters:
    ///   - isNamed: Whether it gets a hidden name even if not needed.
    ///   - mode: Its permissions, as far as the umask allows.
    init(in directory: String, isNamed: Bool, mode: mode_t) throws(FileError) {
        let hiddenPath =
            "\(directory)/\(Self.prefix)\(String(UInt64.random(in: 0...UInt64.max), radix: 36))\(Self.suffix)"
        self.hiddenPath = hiddenPath
        if !isNamed, let descriptor = Self.openUnnamed(in: directory, mode) {
            self.descriptor = descriptor
            hasHiddenName = false
        } else {
            descriptor = try Self.openNamed(hiddenPath, mode)
            hasHiddenName = true
        }
    }

    static func isHiddenName(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(suffix) }

    /// Gives the file its name.
    ///
    /// - Parameter isReplacing: Whether to replace a file of that name; otherwise one that appeared since is an error.
    mutating func claimName(_ path: String, replacing isReplacing: Bool) throws(FileError) {
        if !hasHiddenName {
            let first = isReplacing ? hiddenPath : path
            guard linkat(AT_FDCWD, Self.link(to: descriptor), AT_FDCWD, first, AT_SYMLINK_FOLLOW) == 0 else {
                throw FileError("create", path)
            }
            guard isReplacing else { return }
            hasHiddenName = true
        }
        if isReplacing {
            guard rename(hiddenPath, path) == 0 else { throw FileError("replace", path) }
        } else {
            try renameWithoutReplacing(hiddenPath, path)
        }
        hasHiddenName = false
    }

    /// Gives the file its name in a way that can be revoked: a file that it replaces gets the hidden name, and is removed
    /// by ``discard()``. On file systems that cannot exchange files, it is replaced for good.
    mutating func claimNameRevocably(_ path: String, replacing isReplacing: Bool) throws(FileError) -> NameClaim {
        guard isReplacing else {
            try claimName(path, replacing: false)
            return .new
        }
        if !hasHiddenName {
            guard linkat(AT_FDCWD, Self.link(to: descriptor), AT_FDCWD, hiddenPath, AT_SYMLINK_FOLLOW) == 0 else {
                throw FileError("create", path)
            }
            hasHiddenName = true
        }
        // Locked, so that nobody sweeps it away under its hidden name.
        replaced = retryingInterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        if replaced >= 0 { flock(replaced, LOCK_EX | LOCK_NB) }
        if clinux_exchange_files(hiddenPath, path) == 0 { return .exchanged }
        guard errno == EINVAL || errno == ENOSYS else { throw FileError("replace", path) }
        try claimName(path, replacing: true)
        return .replaced
    }

    /// Takes a name away from the file again, and gives it back to a file that it replaced.
    mutating func revoke(_ claim: NameClaim, of path: String) {
        switch claim {
        case .new: unlink(path)
        case .exchanged:
            if clinux_exchange_files(hiddenPath, path) != 0, rename(hiddenPath, path) == 0 { hasHiddenName = false }
        case .replaced: break
        }
    }

    /// Closes the file, and removes it unless it has its name.
    mutating func discard() {
        if hasHiddenName { unlink(hiddenPath) }
        hasHiddenName = false
        if replaced >= 0 { close(replaced) }
        close(descriptor)
    }

    /// Opens an unnamed file; nil if that is not supported, or it could not be named later.
    private static func openUnnamed(in directory: String, _ mode: mode_t) -> Int32? {
        let descriptor = retryingInterrupted { open(directory, unnamed | flags, mode) }
        guard descriptor >= 0 else { return nil }
        guard access(link(to: descriptor), F_OK) == 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Opens a locked file with a name; tries again if another process removed it before it was locked.
    private static func openNamed(_ path: String, _ mode: mode_t) throws(FileError) -> Int32 {
        while true {
            let descriptor = retryingInterrupted { open(path, flags | O_CREAT | O_EXCL, mode) }
            guard descriptor >= 0 else { throw FileError("create", path) }
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            // Without locks nothing sweeps the file away.
            if !isLocked, errno != EWOULDBLOCK { return descriptor }
            if isLocked, FileIdentity(descriptor) == FileIdentity(path) { return descriptor }
            close(descriptor)
        }
    }

    /// The kernel's link to an open file (proc(5)).
    private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
}

/// Incomplete files left by programs that were killed.
public enum StaleTemporaryFiles {
    /// Removes them from a directory, as far as possible.
    public static func sweep(_ directory: String) {
        guard let names = try? names(inDirectory: directory) else { return }
        for name in names where TemporaryFile.isHiddenName(name) { removeUnlessLocked("\(directory)/\(name)") }
    }

    private static func removeUnlessLocked(_ path: String) {
        let descriptor = retryingInterrupted { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
    }
}
