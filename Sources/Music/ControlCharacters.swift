extension Unicode.Scalar {
    /// Whether this is a control character (C0, DEL or C1), which terminals may take for a command.
    public var isControl: Bool { properties.generalCategory == .control }
}

extension String {
    /// Whether there is a control character in it (C0, DEL or C1).
    public var hasControlCharacters: Bool { unicodeScalars.contains(where: \.isControl) }

    /// The text with another character in place of each control character.
    public func replacingControlCharacters(with replacement: Unicode.Scalar) -> String {
        guard hasControlCharacters else { return self }
        var text = UnicodeScalarView()
        text.append(contentsOf: unicodeScalars.lazy.map { $0.isControl ? replacement : $0 })
        return String(text)
    }
}
