import Glibc
import SystemSupport

/// A file on disk that is appended to, and that notices when it is no longer where it was created.
final class AppendedFile: SessionFile {
    private let path: String
    private let descriptor: Int32

    /// Creates an empty file, or empties the one that is there.
    convenience init(_ path: String) throws(FileError) {
        try self.init(path, action: "create", flags: O_CREAT)
        guard retryingInterrupted({ ftruncate(descriptor, 0) }) == 0 else { throw FileError("create", path) }
    }

    /// Opens a file that is there.
    convenience init(existing path: String) throws(FileError) {
        try self.init(path, action: "open", flags: 0)
    }

    /// What is no regular file is not opened: neither what a link leads to, nor a device.
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

    /// Bytes of the file.
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
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                retryingInterrupted { write(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard count >= 0 else { throw .file(FileError("write", path)) }
            rest = rest.dropFirst(count)
        }
    }

    func flush() throws(StorageFailure) {
        guard retryingInterrupted({ fdatasync(descriptor) }) == 0 else { throw .file(FileError("flush", path)) }
        guard FileIdentity(descriptor) == FileIdentity(path) else {
            throw .file(FileError("find", path, code: ENOENT))
        }
    }
}
