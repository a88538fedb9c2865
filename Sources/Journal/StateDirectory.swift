import Glibc
import SystemSupport

/// A directory on disk that one process at a time stores its session in.
final class StateDirectory: SessionDirectory {
    private let path: String
    private var lock: DirectoryLock?

    /// The most that is read of a file; no session comes near it.
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
