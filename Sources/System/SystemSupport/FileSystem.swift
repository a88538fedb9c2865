import Glibc

/// Repeats a system call while a signal interrupts it.
package func retryingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

/// Writes all bytes to a descriptor.
package func writeAll(_ bytes: [UInt8], to descriptor: CInt, of path: String) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { bytes in
            retryingInterrupted { write(descriptor, bytes.baseAddress, bytes.count) }
        }
        guard count > 0 else { throw FileError("write", path) }
        rest = rest.dropFirst(count)
    }
}

/// Reads a descriptor to the end, or up to a limit in bytes.
package func readAll(from descriptor: CInt, of path: String, limit: Int = .max) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit {
        let wanted = min(chunk.count, limit - bytes.count)
        let count = retryingInterrupted { read(descriptor, &chunk, wanted) }
        guard count >= 0 else { throw FileError("read", path) }
        if count == 0 { break }
        bytes += chunk[..<count]
    }
    return bytes
}

/// A path without symbolic links; nil, with `errno`, if nothing is there.
package func withoutLinks(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

/// Refuses a path with a zero byte, at which the system would truncate it.
func checkPath(_ path: String) throws(FileError) {
    guard !path.utf8.contains(0) else { throw FileError("use", path, code: EINVAL) }
}

/// The directory that a path's last component is in.
package func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Ensures that creating, renaming and removing files in a directory survives a power cut.
package func flushDirectory(_ path: String) throws(FileError) {
    let descriptor = retryingInterrupted { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileError("open", path) }
    defer { close(descriptor) }
    // Some network file systems do not support this and return EINVAL.
    guard retryingInterrupted({ fsync(descriptor) }) == 0 || errno == EINVAL else { throw FileError("flush", path) }
}

/// Renames a file; EEXIST if the new name exists. A crash in between leaves the file with both names.
///
/// - Parameter link: Gives a file a second name, like the system's.
package func renameWithoutReplacing(
    _ path: String, _ newPath: String, link: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> CInt = Glibc.link
) throws(FileError) {
    if link(path, newPath) == 0 {
        guard unlink(path) == 0 else { throw FileError("rename", path) }
        return
    }
    // File systems without hard links return various errors, but the kernel itself returns EEXIST first. So only a file
    // that appears just now is replaced.
    guard errno != EEXIST, rename(path, newPath) == 0 else { throw FileError("rename", path) }
}

/// Creates a directory, and any missing ones above it, accessible to the owner only.
package func makeDirectories(_ path: String) throws(FileError) {
    try checkPath(path)
    if mkdir(path, 0o700) == 0 { return try flushDirectory(directory(of: path)) }
    switch errno {
    case EEXIST: return
    case ENOENT where directory(of: path) != path:
        try makeDirectories(directory(of: path))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError("create", path) }
        try flushDirectory(directory(of: path))
    default: throw FileError("create", path)
    }
}

/// The names in a directory that are UTF-8, unsorted.
package func names(inDirectory path: String) throws(FileError) -> [String] {
    guard let stream = opendir(path) else { throw FileError("open", path) }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
        errno = 0
        guard let entry = readdir(stream) else {
            guard errno == 0 else { throw FileError("read", path) }
            return names
        }
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if let name { names.append(name) }
    }
}

/// A regular file's content and when it was written.
package struct FileContent {
    package var bytes: [UInt8]
    /// Seconds since 1970-01-01 UTC.
    package var modified: Int

    /// Reads a regular file up to a limit in bytes, and fails for others without blocking.
    package init(of path: String, limit: Int) throws(FileError) {
        try checkPath(path)
        let descriptor = retryingInterrupted { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileError("open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError("read", path, code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        modified = status.st_mtim.tv_sec
        bytes = try readAll(from: descriptor, of: path, limit: limit)
    }
}

/// Releases a lock of flock(2), and closes its file. Closing alone leaves it locked as long as a child process that has not yet
/// run its program has a copy of the descriptor.
package func unlockAndClose(_ descriptor: CInt) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
}

/// Identifies a file whatever its name; never equal if there is no file.
package struct FileIdentity {
    private let numbers: (device: dev_t, inode: ino_t)?

    package init(_ path: String) {
        var status = stat()
        numbers = stat(path, &status) == 0 ? (status.st_dev, status.st_ino) : nil
    }

    package init(_ descriptor: Int32) {
        var status = stat()
        numbers = fstat(descriptor, &status) == 0 ? (status.st_dev, status.st_ino) : nil
    }

    package static func == (left: FileIdentity, right: FileIdentity) -> Bool {
        guard let left = left.numbers, let right = right.numbers else { return false }
        return left == right
    }
}

/// A failed operation on a file or directory.
public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The attempted action: `create`, `write`, `rename`...
    public let action: String
    /// The file or directory.
    public let path: String
    /// The system's reason, as in `errno`.
    public let code: Int32
    /// Why the file was left alone, if the system would have allowed the operation.
    private let objection: String?

    /// The error of the last system call, or one with the given reason.
    ///
    /// - Parameter code: `errno`, which must be read before any other call.
    public init(_ action: String, _ path: String, code: Int32 = errno) {
        self.init(action, path, code: code, objection: nil)
    }

    /// A refusal.
    ///
    /// - Parameters:
    ///   - code: The closest `errno`.
    ///   - objection: The problem and what is allowed, in words.
    package init(_ action: String, _ path: String, code: Int32, objection: String?) {
        self.action = action
        self.path = path
        self.code = code
        self.objection = objection
    }

    /// The reason in words: `No space left on device`.
    public var reason: String { objection ?? String(cString: strerror(code)) }

    /// `cannot write /home/ada/x.json: No space left on device`
    public var description: String { "cannot \(action) \(path): \(reason)" }
}

/// Bytes that this process may still write in a directory; nil if unknown.
package func freeSpace(in directory: String) -> UInt64? {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
}
