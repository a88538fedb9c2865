import Music
import PatternFormat

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
