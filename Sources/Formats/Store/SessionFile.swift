import Glibc
import SystemSupport

/// System calls for databases that no connection has open: closing any descriptor of a file drops the locks of all.
enum SessionFile {
    /// Creates an empty file that only its owner can read, in place of any other.
    static func createEmpty(_ path: String) throws(StorageFailure) {
        remove(path)
        let descriptor = retryingInterrupted { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw .file(FileError("create", path)) }
        close(descriptor)
    }

    static func write(_ bytes: [UInt8], to path: String) throws(StorageFailure) {
        try createEmpty(path)
        let descriptor = retryingInterrupted { open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .file(FileError("create", path)) }
        defer { close(descriptor) }
        do throws(FileError) { try writeAll(bytes, to: descriptor, of: path) } catch { throw .file(error) }
    }

    static func flush(_ path: String) throws(StorageFailure) {
        let descriptor = retryingInterrupted { open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .file(FileError("open", path)) }
        defer { close(descriptor) }
        guard retryingInterrupted({ fsync(descriptor) }) == 0 else { throw .file(FileError("flush", path)) }
    }

    /// A path in a directory without symbolic links, which SQLite refuses.
    static func resolved(_ directory: String, _ name: String) throws(StorageFailure) -> String {
        guard let real = withoutLinks(directory) else { throw .file(FileError("open", directory)) }
        return "\(real)/\(name)"
    }

    static func remove(_ path: String) { unlink(path) }
}
