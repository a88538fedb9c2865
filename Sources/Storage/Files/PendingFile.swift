import Glibc

/// A file in the making, which takes its name when it is complete: until then, whatever happens, there is the old file
/// or none.
///
/// It lies in its future directory under a hidden name, and is removed when it is given up. Not for several threads at
/// once.
public final class PendingFile {
    /// The path that the file will have.
    public let path: String
    /// The open file, for those who write by themselves; closed by ``commit()`` and ``discard()``.
    public let descriptor: Int32

    private let temporaryPath: String
    private var isOpen = true

    /// Creates an empty file that will be, or replace, the one at a path.
    public init(replacing path: String) throws(FileError) {
        try checkPath(path)
        self.path = path
        temporaryPath = "\(directory(of: path))/.pixelboop-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).tmp"
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
        let temporaryPath = temporaryPath
        descriptor = retryingInterrupted { open(temporaryPath, flags, 0o666) }
        guard descriptor >= 0 else {
            isOpen = false
            throw FileError("create", path)
        }
    }

    deinit { discard() }

    /// Appends bytes.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retryingInterrupted { Glibc.write(descriptor, buffer.baseAddress! + written, buffer.count - written) }
            }
            guard count >= 0 else { throw FileError("write", path) }
            written += count
        }
    }

    /// Puts the file, flushed to disk, in its place, and flushes the directory. When it fails, the file is given up.
    public func commit() throws(FileError) {
        precondition(isOpen, "already committed or discarded")
        defer { discard() }
        guard retryingInterrupted({ fsync(descriptor) }) == 0 else { throw FileError("flush", path) }
        guard rename(temporaryPath, path) == 0 else { throw FileError("replace", path) }
        try flushDirectory(directory(of: path))
    }

    /// Gives the file up; does nothing after ``commit()``.
    public func discard() {
        guard isOpen else { return }
        isOpen = false
        close(descriptor)
        unlink(temporaryPath)
    }
}

/// Files that are replaced as a whole.
public enum AtomicFile {
    /// Makes bytes the content of a file. After a crash or power cut at any moment the file has its old content or the
    /// new, and the new once this has returned.
    public static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let file = try PendingFile(replacing: path)
        try file.write(bytes)
        try file.commit()
    }
}
