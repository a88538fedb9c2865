import FoundationEssentials
import Glibc
import Storage
import SystemSupport

/// Files that the command line names to be written.
enum OutputFile {
    /// Stand for standard output where a file to write is named.
    private static let standardOutput = ["-", "/dev/stdout"]

    /// Whether a path stands for standard output.
    static func isStandardOutput(_ path: String) -> Bool { standardOutput.contains(path) }

    /// Writes a file, whole or not at all, or to standard output.
    ///
    /// - Throws: A ``Failure`` that names the file: its ending must be that of the kind, and what is there already a regular
    ///   file.
    static func write(_ bytes: [UInt8], to path: String, as kind: ExportKind) throws {
        if isStandardOutput(path) { return try Output.write(bytes, to: STDOUT_FILENO) }
        do throws(FileError) {
            try kind.write(bytes, to: path)
        } catch {
            throw Failure(.usage, error.description)
        }
    }
}
