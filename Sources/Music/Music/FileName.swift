extension String {
    /// Whether it can name a file or folder of the user: 1 to 64 characters, at most 250 bytes, without `/`, a leading
    /// dot, control characters, or line and paragraph separators.
    public var isFileName: Bool { fileNameObjection == nil }

    /// Why it is not such a name, in words; nil when it is one.
    public var fileNameObjection: String? {
        if isEmpty { return "it is empty" }
        // Bytes first: counting the characters of a long text is slow.
        if utf8.count > String.longestFileName { return "it has more than \(String.longestFileName) bytes" }
        if count > 64 { return "it has more than 64 characters" }
        if unicodeScalars.first == "." { return "it starts with a dot" }
        if unicodeScalars.contains("/") { return "it contains a slash" }
        if unicodeScalars.contains(where: \.isControl) { return "it contains a control character" }
        if unicodeScalars.contains(where: \.isSeparator) { return "it contains a line separator" }
        return nil
    }

    /// The most bytes of such a name.
    public static let longestFileName = 250

    /// The names that ``isFileName`` allows, in words.
    public static let fileNameExpectation =
        "a name of 1 to 64 characters, at most \(longestFileName) bytes, "
        + "without /, leading dot, control characters and line separators"
}

extension Unicode.Scalar {
    /// Whether it breaks a line without being a control character: U+2028 and U+2029.
    fileprivate var isSeparator: Bool { self == "\u{2028}" || self == "\u{2029}" }

    /// Whether this is a control character (C0, DEL or C1), which terminals may interpret as a command.
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}

extension String {
    /// Whether there is a control character in it (C0, DEL or C1).
    public var hasControlCharacters: Bool { unicodeScalars.contains(where: \.isControl) }

    /// The text with each control character replaced by another character.
    public func replacingControlCharacters(with replacement: Unicode.Scalar) -> String {
        guard hasControlCharacters else { return self }
        var text = UnicodeScalarView()
        text.append(contentsOf: unicodeScalars.lazy.map { $0.isControl ? replacement : $0 })
        return String(text)
    }
}
