import Glibc
import SystemSupport

/// Keeps other daemons out of a state directory while it exists; the system releases it when the process ends.
final class DirectoryLock {
    private let path: String
    private let descriptor: Int32
    /// Whether the file system has locks; without them nobody is kept out.
    let isEffective: Bool

    init(_ directory: String) throws(StorageFailure) {
        path = "\(directory)/lock"
        let path = path
        let writable = retryingInterrupted { open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600) }
        let reason = errno
        // Without write permission an existing file can still be locked.
        descriptor =
            writable >= 0
            ? writable : retryingInterrupted { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .file(FileError("create", path, code: reason)) }
        let descriptor = descriptor
        isEffective = retryingInterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0
        guard isEffective || errno != EWOULDBLOCK else {
            throw .inUse(path: directory, processID: Self.owner(descriptor))
        }
        writeOwner()
    }

    deinit { unlockAndClose(descriptor) }

    /// Whether the locked file is still the one that another daemon would try to lock.
    var isInPlace: Bool { FileIdentity(descriptor) == FileIdentity(path) }

    /// Writes the process ID into the file, for another daemon's error message; does without it on a full disk.
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
