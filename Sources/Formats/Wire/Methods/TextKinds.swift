import JSON
import Music
import PatternFormat

extension Kind<String> {
    /// Texts of limited length, in characters.
    func limited(to lengths: ClosedRange<Int>, expected: String) -> Kind {
        filtered(expected: expected) { text in
            // Counting the characters of half a megabyte is slow.
            text.utf8.count <= longestCharacter * lengths.upperBound && lengths.contains(text.count)
        }
        .described(as: ["minLength": .integer(lengths.lowerBound), "maxLength": .integer(lengths.upperBound)])
    }

    /// A name in the library, which is also a file name.
    static let libraryName = Kind.string.filtered(expected: String.fileNameExpectation, \.isFileName)
        .described(as: ["minLength": 1, "maxLength": 64, "pattern": .string(Schema.fileNamePattern)])

    /// A client's name, empty for none.
    static let clientName = Kind.string.limited(to: 0...100, expected: clientNameExpectation)
        .filtered(expected: clientNameExpectation) { !$0.hasControlCharacters }
        .described(as: ["pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"])

    private static let clientNameExpectation = "a string of at most 100 characters without control characters"

    static let absolutePath = Kind.string.filtered(expected: "an absolute path") { path in
        path.utf8.first == UInt8(ascii: "/") && !path.utf8.contains(0)
    }
    .described(as: ["pattern": "^/"])
    .namingFiles()
}

/// Maximum mean bytes of UTF-8 per character: a family-of-four emoji has 25.
private let longestCharacter = 32

extension Kind {
    /// The same values with a unit, which programs read in the schema's `x-unit`.
    func counted(in unit: String) -> Kind { described(as: ["x-unit": .string(unit)]) }

    /// The same values with a description.
    func meaning(_ summary: String) -> Kind { described(as: ["description": .string(summary)]) }
}
