import Music

/// A name that is safe as a file's name and fit to be seen.
struct PatternName {
    static let fileExtension = ".json"

    let text: String

    init(_ text: String) throws(LibraryError) {
        if let reason = text.fileNameObjection {
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
        if !text.isFileName { return nil }
    }

    var fileName: String { text + PatternName.fileExtension }
}
