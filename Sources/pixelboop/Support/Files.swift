import Export
import Files
import FoundationEssentials
import Glibc
import Media
import Music
import PatternFormat
import SystemSupport

/// Files that the command line names to be read: regular ones, pipes, or standard input.
enum InputFile {
    /// The names of standard input as a file to read.
    private static let standardInputs = ["-", "/dev/stdin"]
    /// One byte more than any pattern has, so that a larger file is refused for its size, and an endless one is not read for
    /// ever.
    private static let limit = PatternFormat.maximumSize + 1

    static func isStandardInput(_ path: String) -> Bool { standardInputs.contains(path) }

    /// A file as messages name it.
    static func name(_ path: String) -> String { isStandardInput(path) ? "standard input" : path }

    /// All bytes of a file, or the first of a file that is too large for a pattern.
    static func read(_ path: String) throws(FileError) -> [UInt8] {
        if isStandardInput(path) { return try readAll(from: STDIN_FILENO, of: name(path), limit: limit) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("read", path) }
        defer { close(descriptor) }
        return try readAll(from: descriptor, of: path, limit: limit)
    }
}

/// Pattern files that the command line names.
enum PatternFile {
    /// Reads a pattern.
    ///
    /// - Throws: A ``Failure`` that names the file and the place in it.
    static func read(_ path: String, columns: PatternFormat.Columns = .grid) throws -> Pattern {
        let bytes = try InputFile.read(path)
        do {
            return try PatternFormat.decode(bytes, columns: columns)
        } catch {
            throw Failure(.refused, "\(InputFile.name(path)): \(error)")
        }
    }
}

/// Files that the command line names to be written.
enum OutputFile {
    /// The names of standard output as a file to write.
    private static let standardOutput = ["-", "/dev/stdout"]

    static func isStandardOutput(_ path: String) -> Bool { standardOutput.contains(path) }

    /// Writes a file atomically, or to standard output.
    ///
    /// The file must have an ending of its kind, and an existing one must be a regular one.
    static func write(_ bytes: [UInt8], to path: String, as kind: ExportKind) throws {
        if isStandardOutput(path) { return try Output.write(bytes, to: STDOUT_FILENO) }
        try kind.write(bytes, to: path)
    }
}

/// Sound files that the command line names, rendered here.
enum SoundFile {
    /// Renders a file, or a WAV to standard output.
    static func write(_ recording: Recording, to path: String) throws {
        var bar = ProgressBar(label: path)
        defer { bar.finish() }
        guard OutputFile.isStandardOutput(path) else {
            _ = try recording.write(to: path) { bar.show($0) }
            return
        }
        try recording.stream(spoolingIn: FileManager.default.temporaryDirectory.path) {
            bar.show($0)
        } to: {
            try Output.write($0, to: STDOUT_FILENO)
        }
    }
}
