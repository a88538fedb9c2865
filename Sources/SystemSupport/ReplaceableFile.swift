import Glibc

/// A file that may be replaced by another: a regular one that is not protected against writing.
///
/// Devices, sockets and the like are used by other programs under their names, a symbolic link leads somewhere that its
/// path does not show, and what is read-only was made so on purpose: none of them is replaced, though the system would
/// rename a file over each.
struct ReplaceableFile {
    /// The permissions.
    let mode: mode_t

    private static let permissions: mode_t = 0o7777
    private static let writable: mode_t = 0o222

    /// The file at a path, nil when there is none.
    ///
    /// - Throws: ``FileError`` when something is there that must stay.
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
