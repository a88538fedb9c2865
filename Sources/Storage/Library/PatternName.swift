/// A name that is safe as a file's name and fit to be seen.
struct PatternName {
    static let fileExtension = ".json"
    /// Characters, as a reader counts them.
    static let maximumLength = 64
    /// What Linux's file systems allow a file's name, in bytes.
    static let maximumFileNameSize = 255

    let text: String

    init(_ text: String) throws(LibraryError) {
        if let reason = PatternName.objection(to: text) {
            throw .invalidName(name: text, reason: reason)
        }
        self.text = text
    }

    /// The name of the pattern in a file, nil when a file of this name holds none.
    init?(fileName: String) {
        let scalars = fileName.unicodeScalars
        let suffix = PatternName.fileExtension.unicodeScalars
        guard scalars.count > suffix.count, scalars.suffix(suffix.count).elementsEqual(suffix) else { return nil }
        text = String(scalars.dropLast(suffix.count))
        if PatternName.objection(to: text) != nil { return nil }
    }

    var fileName: String { text + PatternName.fileExtension }

    private static func objection(to text: String) -> String? {
        if text.isEmpty { return "it is empty" }
        if text.count > maximumLength { return "it has more than \(maximumLength) characters" }
        let maximumSize = maximumFileNameSize - fileExtension.utf8.count
        if text.utf8.count > maximumSize { return "it has more than \(maximumSize) bytes" }
        if text.unicodeScalars.first == "." { return "it starts with a dot" }
        if text.unicodeScalars.contains("/") { return "it contains a slash" }
        if text.unicodeScalars.contains(where: isControl) { return "it contains a control character" }
        return nil
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
