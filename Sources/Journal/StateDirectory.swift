import Glibc
import SystemSupport

/// A directory in which one process at a time stores its session.
final class StateDirectory: SessionDirectory {
    private let path: String
    private var lock: DirectoryLock?

    /// The most bytes read of a file, far more than any session needs.
    private static let fileLimit = 256 << 20

    init(_ path: String) {
        self.path = path
    }

    func claim() throws(StorageFailure) {
        try refusing { () throws(FileError) in try makeDirectories(path) }
        if let lock, lock.isInPlace { return }
        lock = nil
        lock = try DirectoryLock(path)
    }

    func names() throws(StorageFailure) -> [String] {
        try refusing { () throws(FileError) in try SystemSupport.names(inDirectory: path) }
    }

    func content(of name: String) throws(StorageFailure) -> [UInt8]? {
        do throws(FileError) {
            return try FileContent(of: fullPath(name), limit: Self.fileLimit).bytes
        } catch {
            guard error.code == ENOENT else { throw .file(error) }
            return nil
        }
    }

    func create(_ name: String) throws(StorageFailure) -> any SessionFile {
        try refusing { () throws(FileError) in try AppendedFile(fullPath(name)) }
    }

    func open(_ name: String, length: UInt64) throws(StorageFailure) -> (any SessionFile)? {
        try refusing { () throws(FileError) in
            let file = try AppendedFile(existing: fullPath(name))
            return try file.length == length ? file : nil
        }
    }

    func rename(_ name: String, to newName: String) throws(StorageFailure) {
        try refusing { () throws(FileError) in
            guard Glibc.rename(fullPath(name), fullPath(newName)) == 0 else {
                throw FileError("rename", fullPath(name))
            }
        }
    }

    func link(_ name: String, to newName: String) throws(StorageFailure) {
        guard Glibc.link(fullPath(name), fullPath(newName)) == 0 else {
            throw .file(FileError("link", fullPath(name)))
        }
    }

    func remove(_ name: String) throws(StorageFailure) {
        guard unlink(fullPath(name)) == 0 else { throw .file(FileError("remove", fullPath(name))) }
    }

    var flushNames: DiskStep {
        { [path] () throws(StorageFailure) in
            do throws(FileError) { try flushDirectory(path) } catch { throw .file(error) }
        }
    }

    var freeSpace: UInt64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    private func fullPath(_ name: String) -> String { "\(path)/\(name)" }

    private func refusing<Result>(_ body: () throws(FileError) -> Result) throws(StorageFailure) -> Result {
        do throws(FileError) { return try body() } catch { throw .file(error) }
    }
}

/// A file on disk to append to, which notices if it is no longer where it was created.
final class AppendedFile: SessionFile {
    private let path: String
    private let descriptor: Int32

    /// Creates a file, or empties the existing one.
    convenience init(_ path: String) throws(FileError) {
        try self.init(path, action: "create", flags: O_CREAT)
        guard retryingInterrupted({ ftruncate(descriptor, 0) }) == 0 else { throw FileError("create", path) }
    }

    convenience init(existing path: String) throws(FileError) {
        try self.init(path, action: "open", flags: 0)
    }

    /// Opens only regular files: no symbolic links and no devices.
    private init(_ path: String, action: String, flags: Int32) throws(FileError) {
        self.path = path
        let flags = flags | O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        descriptor = retryingInterrupted { open(path, flags, 0o600) }
        guard descriptor >= 0 else { throw FileError(action, path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FileError(action, path, code: EINVAL)
        }
    }

    /// In bytes.
    var length: UInt64 {
        get throws(FileError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw FileError("read", path) }
            return UInt64(status.st_size)
        }
    }

    func truncate(to length: UInt64) throws(StorageFailure) {
        guard retryingInterrupted({ ftruncate(descriptor, off_t(length)) }) == 0 else {
            throw .file(FileError("write", path))
        }
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) throws(StorageFailure) {
        do throws(FileError) { try writeAll(bytes, to: descriptor, of: path) } catch { throw .file(error) }
    }

    func flush() throws(StorageFailure) {
        guard retryingInterrupted({ fdatasync(descriptor) }) == 0 else { throw .file(FileError("flush", path)) }
        guard FileIdentity(descriptor) == FileIdentity(path) else {
            throw .file(FileError("find", path, code: ENOENT))
        }
    }
}

/// Keeps other daemons out of a state directory while it exists; the system releases it when the process ends.
final class DirectoryLock {
    private let path: String
    private let descriptor: Int32

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
        guard retryingInterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
            throw errno == EWOULDBLOCK
                ? .inUse(path: directory, processID: Self.owner(descriptor)) : .file(FileError("lock", path))
        }
        writeOwner()
    }

    deinit { close(descriptor) }

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
