import JSON
import Music

/// Patterns as JSON: pattern files, and `pattern.get` and `pattern.set` on the control socket.
///
/// Exporting and importing again gives the same pattern, except for sustain cells without a head, which are left out.
public enum PatternFormat {
    /// What the numbers in `col` count.
    public enum Columns: String, CaseIterable, Sendable {
        /// Columns of the grid: step 0 is in column 4, and columns 12, 21 and 30 separate bars.
        case grid
        /// Steps from 0: files of the first web version.
        case step
    }

    public static let version = 1

    /// The most bytes that a pattern's text may have.
    public static let maximumSize = 2 << 20

    /// The pattern in a JSON text, such as a file. Control characters in its name become spaces, so that the file can
    /// be read nevertheless.
    ///
    /// - Throws: Where the text is not JSON or not a pattern, or that it is larger than ``maximumSize``.
    public static func decode(_ bytes: some Collection<UInt8>, columns: Columns = .grid) throws(PatternError) -> Pattern
    {
        try checkSize(bytes.count)
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            if let kind = OtherFile(bytes) {
                throw PatternError(place: "", message: "this is \(kind.rawValue); patterns are JSON")
            }
            throw PatternError(place: "", message: "not JSON: \(error)")
        }
        return try PatternDecoder(columns: columns, repairsName: true).pattern(value)
    }

    /// The pattern in a JSON value, whose compact text may have ``maximumSize`` bytes; its name must not contain
    /// control characters.
    ///
    /// - Throws: Where the value is not a pattern.
    public static func decode(_ value: JSONValue, columns: Columns = .grid) throws(PatternError) -> Pattern {
        try checkSize(value.bytes.count)
        return try PatternDecoder(columns: columns, repairsName: false).pattern(value)
    }

    /// The contents of a file for a pattern's JSON value: indented text or, if that would be larger than
    /// ``maximumSize``, compact text.
    public static func fileBytes(of value: JSONValue) -> [UInt8] {
        let bytes = value.prettyBytes
        return bytes.count <= maximumSize ? bytes : value.bytes + [UInt8(ascii: "\n")]
    }

    private static func checkSize(_ size: Int) throws(PatternError) {
        guard size <= maximumSize else {
            throw PatternError(place: "", message: "larger than \(maximumSize >> 20) MiB")
        }
    }
}
