import Glibc

/// Files that the kernel generates when they are read (proc(5)).
public enum KernelFile {
    /// A file's whole text; nil if it cannot be read.
    ///
    /// The kernel returns long files piece by piece, and Foundation mistakes the first piece for the whole file.
    public static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return (try? readAll(from: descriptor, of: path)).map { String(decoding: $0, as: UTF8.self) }
    }
}
