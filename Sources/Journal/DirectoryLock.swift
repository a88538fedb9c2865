import Glibc
import SystemSupport

/// Keeps other daemons off a state directory as long as it exists; the system lets go of it when the process ends.
final class DirectoryLock {
    private let path: String
    private let descriptor: Int32

    /// Locks a directory.
    init(_ directory: String) throws(StorageFailure) {
        path = "\(directory)/lock"
        let path = path
        let writable = retryingInterrupted { open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600) }
        let reason = errno
        // Without the right to write, an existing file can be locked all the same.
        descriptor =
            writable >= 0
            ? writable : retryingInterrupted { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .file(FileError("create", path, code: reason)) }
        guard retryingInterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
            throw errno == EWOULDBLOCK
                ? .inUse(path: directory, processID: Self.owner(descriptor)) : .file(FileError("lock", path))
        }
        writeOwner()
    }

    deinit { close(descriptor) }

    /// Whether the locked file is still the one that another daemon would try to lock.
    var isInPlace: Bool { FileIdentity(descriptor) == FileIdentity(path) }

    /// Notes who holds the lock, for the message that another daemon gives; on a full disk it does without.
    private func writeOwner() {
        let owner = "\(getpid())\n"
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, owner, owner.utf8.count, 0) }
    }

    private static func owner(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count], as: UTF8.self).prefix { $0 != "\n" })
    }
}
