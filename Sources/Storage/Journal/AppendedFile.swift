import Glibc

/// A file on disk that is appended to, and that notices when it is no longer where it was created.
final class AppendedFile: SessionFile {
    private let path: String
    private let descriptor: Int32

    /// Creates an empty file, or empties the one that is there.
    init(_ path: String) throws(FileError) {
        self.path = path
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC
        descriptor = retryingInterrupted { open(path, flags, 0o600) }
        guard descriptor >= 0 else { throw FileError("create", path) }
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

/// What tells a file from every other, whatever its name; never equal when there is no file.
struct FileIdentity {
    private let numbers: (device: dev_t, inode: ino_t)?

    init(_ path: String) {
        var status = stat()
        numbers = stat(path, &status) == 0 ? (status.st_dev, status.st_ino) : nil
    }

    init(_ descriptor: Int32) {
        var status = stat()
        numbers = fstat(descriptor, &status) == 0 ? (status.st_dev, status.st_ino) : nil
    }

    static func == (left: FileIdentity, right: FileIdentity) -> Bool {
        guard let left = left.numbers, let right = right.numbers else { return false }
        return left == right
    }
}
