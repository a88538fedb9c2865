import Glibc

/// A file that may be replaced by another: a regular one that is not read-only.
///
/// The system would let a rename replace any of these. But other programs use devices and sockets by name, a symbolic
/// link points elsewhere, and a read-only file is read-only on purpose.
struct ReplaceableFile {
    let mode: mode_t

    private static let permissions: mode_t = 0o7777
    private static let writable: mode_t = 0o222

    /// The file at a path, nil if there is none.
    ///
    /// - Throws: ``FileError`` if it must not be replaced.
    init?(at path: String) throws(FileError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw FileError("replace", path) }
            return nil
        }
        if let kind = Self.irregularKind(status.st_mode) {
            throw FileError(
                "replace", path, code: EEXIST, objection: "it is \(kind), and only regular files are replaced")
        }
        guard status.st_mode & Self.writable != 0, !Self.isDenied(path) else {
            throw FileError("replace", path, code: EACCES, objection: "the file is read-only")
        }
        mode = status.st_mode & Self.permissions
    }

    /// Whether the permissions keep this process from writing to a file.
    private static func isDenied(_ path: String) -> Bool {
        faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 && errno == EACCES
    }

    private static func irregularKind(_ mode: mode_t) -> String? {
        switch mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a directory"
        case S_IFLNK: "a symbolic link"
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }
}
