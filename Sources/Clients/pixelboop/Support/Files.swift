import Configuration
import Export
import Files
import FoundationEssentials
import Glibc
import Media
import Music
import PatternFormat
import SystemSupport

/// Files to read, named on the command line: regular ones, pipes, or standard input.
enum InputFile {
    /// The names of standard input on the command line.
    private static let standardInputs = ["-", "/dev/stdin"]
    /// One byte more than any pattern has: a larger file is then refused for its size, and an endless one is not read
    /// for ever.
    private static let limit = PatternFormat.maximumSize + 1

    static func isStandardInput(_ path: String) -> Bool { standardInputs.contains(path) }

    /// A file's name for messages.
    static func name(_ path: String) -> String { isStandardInput(path) ? "standard input" : path }

    /// All bytes of a file; only the first ones of a file that is too large for a pattern.
    static func read(_ path: String) throws(FileError) -> [UInt8] {
        if isStandardInput(path) { return try readAll(from: STDIN_FILENO, of: name(path), limit: limit) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("read", path) }
        defer { close(descriptor) }
        return try readAll(from: descriptor, of: path, limit: limit)
    }
}

/// Pattern files named on the command line.
enum PatternFile {
    /// - Throws: A ``Failure`` that names the file and the position of the error.
    static func read(_ path: String, columns: PatternFormat.Columns = .grid) throws -> Pattern {
        let bytes = try InputFile.read(path)
        do {
            return try PatternFormat.decode(bytes, columns: columns)
        } catch {
            throw Failure(.refused, "\(InputFile.name(path)): \(error)")
        }
    }
}

/// Files to write, named on the command line.
enum OutputFile {
    /// The names of standard output on the command line.
    private static let standardOutput = ["-", "/dev/stdout"]

    static func isStandardOutput(_ path: String) -> Bool { standardOutput.contains(path) }

    /// Writes a file atomically, or to standard output.
    ///
    /// The file's extension must suit its kind, and an existing file must be a regular one.
    static func write(_ bytes: [UInt8], to path: String, as kind: ExportKind) throws {
        if isStandardOutput(path) { return try Output.write(bytes, to: STDOUT_FILENO) }
        try kind.write(bytes, to: path)
    }
}

/// Sound files named on the command line and rendered by this program.
enum SoundFile {
    /// Renders to a file, or as WAV to standard output.
    ///
    /// - Parameter kits: The folder of sample kits; by default that of the user's daemon.
    static func write(
        _ document: Document, _ options: RecordingOptions, kits: String? = nil, to path: String
    ) throws {
        let samples = try document.sampleKit.map { kit in
            let kits = try kits ?? DaemonSettings.kitDirectory(environment: ProcessInfo.processInfo.environment)
            return KitLibrary(directory: kits).load(kit, sampleRate: options.sampleRate)
        }
        for problem in samples?.problems ?? [] { Output.complain(problem) }
        let recording = Recording(of: document, options, samples: samples)
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
