import Glibc

/// A file that gets its name only when complete: until then, whatever happens, the old file stays, if there is one.
///
/// It is created in its directory without a name, so that nothing is left if it is discarded or the process ends. If
/// the file system does not support that, it gets a hidden name that ``StaleTemporaryFiles`` can find. The path must be
/// free, or that of a writable regular file, whose permissions the new one gets. A file that others read while it is being
/// written gets its name by ``appear()``. Not thread-safe.
public final class PendingFile {
    /// The path that the file will have.
    public let path: String
    /// The open file, for callers that write to it directly; closed by ``commit()`` and ``discard()``.
    public let descriptor: Int32

    private let mode: mode_t?
    private var file: TemporaryFile
    private var isOpen = true
    private var hasName = false

    /// Creates an empty file that will get a path, or replace the file there.
    ///
    /// - Parameter mode: Its permissions; by default those of the replaced file, or the usual.
    public convenience init(at path: String, mode: mode_t? = nil) throws(FileError) {
        try self.init(at: path, isNamed: false, mode: mode)
    }

    /// - Parameters:
    ///   - isNamed: Whether to use a hidden name even if not needed.
    ///   - mode: Its permissions; nil for those of the replaced file, or the usual.
    package init(at path: String, isNamed: Bool, mode: mode_t? = nil) throws(FileError) {
        try checkPath(path)
        _ = try ReplaceableFile(at: path)
        self.path = path
        self.mode = mode
        do throws(FileError) {
            file = try TemporaryFile(in: directory(of: path), isNamed: isNamed, mode: mode ?? 0o666)
        } catch {
            isOpen = false
            throw FileError("create", path, code: error.code)
        }
        descriptor = file.descriptor
    }

    deinit { discard() }

    public func write(_ bytes: [UInt8]) throws(FileError) {
        try writeAll(bytes, to: descriptor, of: path)
    }

    /// Returns when everything written so far is on disk. Flush a long file now and then, so that flushing other files
    /// need not wait for all of it.
    public func flush() throws(FileError) {
        guard retryingInterrupted({ fdatasync(descriptor) }) == 0 else { throw FileError("flush", path) }
    }

    /// Reads what was written, piece by piece.
    package func forEachStretch(_ body: ([UInt8]) throws -> Void) throws {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileError("read", path) }
        var stretch = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = retryingInterrupted { read(descriptor, &stretch, stretch.count) }
            guard count >= 0 else { throw FileError("read", path) }
            if count == 0 { return }
            try body(Array(stretch[..<count]))
        }
    }

    /// Gives the file its name before it is complete: from now on it stays, whatever happens.
    public func appear() throws(FileError) {
        precondition(isOpen, "already committed or discarded")
        guard !hasName else { return }
        try claimName(replacing: prepared())
    }

    /// Flushes the file, gives it its name unless it has it, and flushes the directory. Discards it on failure.
    public func commit() throws(FileError) {
        precondition(isOpen, "already committed or discarded")
        defer { discard() }
        let isReplacing = hasName ? false : try prepared()
        guard retryingInterrupted({ fsync(descriptor) }) == 0 else { throw FileError("flush", path) }
        if !hasName { try claimName(replacing: isReplacing) }
    }

    /// Ends the writing of a file that shall never have a name.
    public func complete() throws(FileError) -> UnnamedFile {
        precondition(isOpen && !hasName, "already committed or discarded")
        defer { discard() }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileError("keep", path) }
        return try UnnamedFile(owning: copy, of: path)
    }

    /// Commits several files, of which none has its name yet: all get their names, or none does, and then files that they would
    /// have replaced stay. Only a power cut in between leaves some of them. All are closed afterwards.
    public static func commit(_ files: [PendingFile]) throws(FileError) {
        var claims: [(file: PendingFile, claim: TemporaryFile.NameClaim)] = []
        defer { for file in files { file.discard() } }
        do throws(FileError) {
            for file in files { try file.flushWhole() }
            for file in files {
                let isReplacing = try file.prepared()
                claims.append((file, try file.file.claimNameRevocably(file.path, replacing: isReplacing)))
            }
            for path in Set(files.map { directory(of: $0.path) }) { try flushDirectory(path) }
        } catch {
            for (file, claim) in claims.reversed() { file.file.revoke(claim, of: file.path) }
            throw error
        }
    }

    private func flushWhole() throws(FileError) {
        precondition(isOpen && !hasName, "already committed or discarded")
        guard retryingInterrupted({ fsync(descriptor) }) == 0 else { throw FileError("flush", path) }
    }

    /// Gives the file its permissions.
    ///
    /// - Returns: Whether there is a file to replace.
    private func prepared() throws(FileError) -> Bool {
        let old = try ReplaceableFile(at: path)
        if let mode = mode ?? old?.mode, fchmod(descriptor, mode) != 0 { throw FileError("replace", path) }
        return old != nil
    }

    private func claimName(replacing isReplacing: Bool) throws(FileError) {
        try file.claimName(path, replacing: isReplacing)
        hasName = true
        try flushDirectory(directory(of: path))
    }

    /// Discards the file, unless it has its name; does nothing after ``commit()``.
    public func discard() {
        guard isOpen else { return }
        isOpen = false
        file.discard()
    }
}

/// Files that are replaced as a whole.
public enum AtomicFile {
    /// Replaces a file's content. After a crash or power cut the file has its old content or the new; once this has
    /// returned, the new.
    ///
    /// - Parameter mode: The file's permissions; by default those of the replaced file, or the usual.
    /// - Throws: ``FileError``; files that are read-only or not regular are not replaced.
    public static func write(_ bytes: [UInt8], to path: String, mode: mode_t? = nil) throws(FileError) {
        let file = try PendingFile(at: path, mode: mode)
        try file.write(bytes)
        try file.commit()
    }
}
