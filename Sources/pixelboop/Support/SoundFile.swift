import Export
import FoundationEssentials
import Glibc
import Storage

/// Sound files that the command line names, rendered here.
enum SoundFile {
    /// Renders a file, or a WAV to standard output.
    ///
    /// - Throws: A ``Failure`` that names the file.
    static func write(_ recording: Recording, to path: String) throws {
        var bar = ProgressBar(label: path)
        defer { bar.finish() }
        do {
            guard OutputFile.isStandardOutput(path) else {
                _ = try recording.write(to: path) { bar.show($0) }
                return
            }
            try recording.stream(spoolingIn: FileManager.default.temporaryDirectory.path) {
                bar.show($0)
            } to: {
                try Output.write($0, to: STDOUT_FILENO)
            }
        } catch let error as AudioFileError {
            throw Failure(.usage, error.description)
        }
    }
}
