import Glibc

/// Files that the kernel makes as they are read (proc(5)).
public enum KernelFile {
    /// All of a file's text; nil when it cannot be read.
    ///
    /// The kernel gives long files piece by piece, and Foundation takes the first piece for the whole file.
    public static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count != 0 else { return String(decoding: text, as: UTF8.self) }
            guard count > 0 else { return nil }
            text += piece[..<count]
        }
    }
}
