extension String {
    /// Whether it can be the name of something that the user keeps as a file or a folder: 1 to 64 characters, at most 250
    /// bytes, no `/`, no leading dot, no control character.
    public var isFileName: Bool {
        // Bytes first: counting the characters of a long text takes long.
        (1...250).contains(utf8.count) && count <= 64 && unicodeScalars.first != "."
            && unicodeScalars.allSatisfy { $0 != "/" && !$0.isControl }
    }

    /// What ``isFileName`` allows, in words.
    public static let fileNameExpectation =
        "a name of 1 to 64 characters without /, leading dot and control characters"
}
