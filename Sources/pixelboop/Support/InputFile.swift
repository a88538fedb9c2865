import FoundationEssentials
import Glibc
import PatternFormat

/// Files that the command line names to be read: regular ones, pipes, or standard input.
enum InputFile {
    /// Stand for standard input where a file to read is named.
    private static let standardInputs = ["-", "/dev/stdin"]
    /// One byte more than any pattern has, so that a larger file is refused for its size, and an endless one is not read for
    /// ever.
    private static let limit = PatternFormat.maximumSize + 1

    /// Whether a path stands for standard input.
    static func isStandardInput(_ path: String) -> Bool { standardInputs.contains(path) }

    /// A file as messages name it.
    static func name(_ path: String) -> String { isStandardInput(path) ? "standard input" : path }

    /// All bytes of a file, or the first of a file that is too large for a pattern.
    ///
    /// - Throws: A ``Failure`` that names the file.
    static func read(_ path: String) throws -> [UInt8] {
        if isStandardInput(path) { return try content(of: STDIN_FILENO, path) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        return try content(of: descriptor, path)
    }

    private static func content(of descriptor: Int32, _ path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
            if count == 0 { break }
            if count > 0 {
                bytes += chunk[..<count]
            } else if errno != EINTR {
                throw failure(path)
            }
        }
        return bytes
    }

    private static func failure(_ path: String) -> Failure {
        Failure(.usage, "cannot read \(name(path)): \(String(cString: strerror(errno)))")
    }
}
